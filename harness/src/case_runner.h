// SPDX-License-Identifier: Apache-2.0
/// All runs of one case, with the events that frame them.
#ifndef ACLNN_CTS_CASE_RUNNER_H_
#define ACLNN_CTS_CASE_RUNNER_H_

#include <string>

#include "case_run.h"

namespace aclnn_cts {

/// Records everything from `begin` to `end`, and the outputs. Returns false if the device must be
/// reopened before the next case, because the runtime failed or the stream did not finish. Throws
/// InputError if the case does not fit the program, its data cannot be read, or the results cannot
/// be written.
bool RunCase(const Bench &bench, aclrtStream stream, const Case &described,
             const std::string &dataFolder);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_CASE_RUNNER_H_
