// SPDX-License-Identifier: Apache-2.0
/// Cases that ended their process are run once more, each alone in a process of its own, as in a
/// run at home: a verdict is to say whether they need company for it. So are cases that were cut,
/// as nobody knows what they did then.
#ifndef ACLNN_CTS_KIT_AGAIN_H_
#define ACLNN_CTS_KIT_AGAIN_H_

#include <string>
#include <vector>

#include "batch_run.h"
#include "crew.h"

namespace aclnn_cts {

/// What is to be run again after batches that are done.
struct Suspects {
  std::vector<Batch> hung;
  std::vector<Batch> cut;
  std::vector<Batch> crashed;

  /// Those that were run again, in the order of their batches.
  std::vector<Batch> Done(const RunPlan &plan) const;
  size_t Count() const { return hung.size() + cut.size() + crashed.size(); }
};

/// Each case once, so there are no more of them than cases. Throws InputError.
Suspects SuspectsOf(const RunPlan &plan, const std::vector<Batch> &batches);

/// Runs them; why it could not run all of them if no device is left, else empty. Throws
/// InputError as Crew::Work() does otherwise.
std::string RunAgain(Crew &crew, const Suspects &suspects);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_KIT_AGAIN_H_
