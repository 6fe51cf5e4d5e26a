// SPDX-License-Identifier: Apache-2.0
/// Reads the lines of a case file that describe parameters.
#ifndef ACLNN_CTS_PARAMETER_LINES_H_
#define ACLNN_CTS_PARAMETER_LINES_H_

#include "aclnn_cts/case.h"
#include "line_fields.h"

namespace aclnn_cts {

/// Parses the text after `tensor` or `producer-tensor`. Throws InputError.
TensorFacts ReadTensor(LineFields &line);

/// Parses the text after `attribute` or `producer-attribute`. Throws InputError.
AttributeFacts ReadAttribute(LineFields &line);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_PARAMETER_LINES_H_
