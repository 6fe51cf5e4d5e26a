// SPDX-License-Identifier: Apache-2.0
/// Checks that hold between the lines of one case.
#ifndef ACLNN_CTS_CASE_CHECKS_H_
#define ACLNN_CTS_CASE_CHECKS_H_

#include <set>
#include <string>

#include "aclnn_cts/case.h"
#include "line_fields.h"

namespace aclnn_cts {

/// `line` is the end line, `seen` holds the facts that were stated. Throws InputError when one is
/// missing, a source does not fit the tensor's role, or a reference leads nowhere.
void CheckCase(const LineFields &line, const Case &read, const std::set<std::string> &seen);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_CHECKS_H_
