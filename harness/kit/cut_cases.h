// SPDX-License-Identifier: Apache-2.0
/// Cases that were running when the run was ended, or when a crash could not be recorded: they may
/// have crashed or hung then, so that nobody is to take a later pass for all there is to know.
#ifndef ACLNN_CTS_KIT_CUT_CASES_H_
#define ACLNN_CTS_KIT_CUT_CASES_H_

#include <string>
#include <vector>

#include "run_plan.h"

namespace aclnn_cts {

/// Remembers the case in which, or after which, a process was that left these events and no line
/// about its end; none if it had begun no case. Throws InputError.
void RememberCut(const RunPlan &plan, const Batch &batch, const std::string &events);

/// The lines of JSON about a batch's cut cases; empty if there are none. Throws InputError.
std::string CutLines(const RunPlan &plan, const Batch &batch);

/// Their ids, each once. Throws InputError.
std::vector<std::string> CutCases(const RunPlan &plan, const Batch &batch);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_CUT_CASES_H_
