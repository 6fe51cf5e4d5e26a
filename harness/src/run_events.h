// SPDX-License-Identifier: Apache-2.0
/// Writes the events of one run.
#ifndef ACLNN_CTS_RUN_EVENTS_H_
#define ACLNN_CTS_RUN_EVENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "aclnn_cts/arguments.h"
#include "memory_checks.h"
#include "memory_use.h"
#include "result_files.h"
#include "runtime.h"
#include "runtime_checks.h"
#include "two_phase.h"

namespace aclnn_cts {

/// The launch of an event. Of two, only the second one's outputs are recorded.
enum class LaunchOf { kOne, kFirstOfTwo, kSecondOfTwo };

/// Many equal calls in a row, with the first one's result.
struct ManyCalls {
  int64_t made = 0;
  int64_t different = 0;       ///< calls with another status or other results
  int64_t firstDifferent = 0;  ///< number of the first of them, from 1; 0 if there is none
  MemoryUse memory;

  void AddDifferent() {
    if (different++ == 0) firstDifferent = made;
  }
};

/// Each call writes one line, or one per finding. Throws InputError on failure.
class RunEvents {
 public:
  /// Both references must outlive the object.
  RunEvents(ResultFiles &results, const std::string &caseId, int64_t run)
      : results_(results), caseId_(caseId), run_(run) {}

  /// Sets the launch of the following events of the measured call; kOne by default.
  void Enter(LaunchOf launch) { launch_ = launch; }
  LaunchOf Entered() const { return launch_; }

  void PhaseOne(const PlannedCall &call);
  void PhaseTwo(const LaunchResult &launched);
  /// One phase of a side call; `event` is `producer`, `other` or `decoy`.
  void SidePhase(const char *event, int64_t phase, int32_t status, const std::string &message,
                 const std::string &operatorName = "");
  /// aclSetAclOpExecutorRepeatable returned that status.
  void NotRepeatable(int32_t status, const std::string &message);
  /// The run ends, because a function failed.
  void Unmade(const FailedFunction &failed);
  void Findings(const std::string &tensor, const std::vector<Finding> &findings);
  void Changed(const std::vector<ChangedHandle> &handles);
  void Calls(const ManyCalls &calls);
  void Runtime(const std::vector<BrokenFunction> &broken);

 private:
  JsonLine Event(const char *event) const;
  JsonLine Measured(const char *event) const;

  ResultFiles &results_;
  const std::string &caseId_;
  int64_t run_;
  LaunchOf launch_ = LaunchOf::kOne;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_RUN_EVENTS_H_
