// SPDX-License-Identifier: Apache-2.0
/// Whether a run still has all that it knew: when it is taken up again, and when it is packed.
#ifndef ACLNN_CTS_KIT_WORK_CHECK_H_
#define ACLNN_CTS_KIT_WORK_CHECK_H_

#include <string>
#include <vector>

#include "run_plan.h"

namespace aclnn_cts {

/// Throws InputError that names the first file which is damaged, or lacks what it held: going on
/// could lose a crash, or end with an archive that nobody can judge.
void CheckWork(const RunPlan &plan, const std::vector<Batch> &batches);

/// The digest of a file that a process left, which must be `left`. Throws InputError when it is
/// not.
std::string CheckedDigest(const std::string &path, const std::string &left);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_WORK_CHECK_H_
