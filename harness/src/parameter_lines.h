// SPDX-License-Identifier: Apache-2.0
/// Reads the lines of a case file that describe parameters.
#ifndef ACLNN_CTS_PARAMETER_LINES_H_
#define ACLNN_CTS_PARAMETER_LINES_H_

#include "aclnn_cts/case.h"
#include "line_fields.h"

namespace aclnn_cts {

/// What follows `tensor` or `producer-tensor`. Throws InputError when it is wrong in itself.
TensorFacts ReadTensor(LineFields &line);

/// What follows `attribute` or `producer-attribute`. Throws InputError when it is wrong in itself.
AttributeFacts ReadAttribute(LineFields &line);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_PARAMETER_LINES_H_
