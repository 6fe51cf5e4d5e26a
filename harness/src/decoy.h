// SPDX-License-Identifier: Apache-2.0
/// Another call of the measured operator, with other shapes or attributes, and memory of its own.
#ifndef ACLNN_CTS_DECOY_H_
#define ACLNN_CTS_DECOY_H_

#include "aclnn_cts/case.h"
#include "case_memory.h"
#include "case_run.h"
#include "run_events.h"
#include "side_call.h"

namespace aclnn_cts {

/// Its inputs hold zeros, which are valid data of any input; its results are ignored.
class Decoy {
 public:
  /// Allocates, and makes and records phase one. All must outlive the object. Throws as
  /// ExecuteRun.
  Decoy(const Bench &bench, const RunSetting &setting, const Case &described, RunEvents &events);

  PlannedSideCall &Call() { return call_; }

 private:
  TensorMemories memories_;  // before the call, which asks for its addresses
  PlannedSideCall call_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_DECOY_H_
