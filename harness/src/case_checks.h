// SPDX-License-Identifier: Apache-2.0
/// Checks across the lines of one case.
#ifndef ACLNN_CTS_CASE_CHECKS_H_
#define ACLNN_CTS_CASE_CHECKS_H_

#include <set>
#include <string>

#include "aclnn_cts/case.h"
#include "line_fields.h"

namespace aclnn_cts {

/// `line` is the end line, `seen` holds the stated facts. Throws InputError if one is missing, a
/// source does not fit the tensor's role, or a reference is invalid.
void CheckCase(const LineFields &line, const Case &read, const std::set<std::string> &seen);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_CHECKS_H_
