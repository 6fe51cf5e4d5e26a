// SPDX-License-Identifier: Apache-2.0
/// A call beside the measured one: a producer's, another operator's, or a decoy's. What becomes of
/// its results is the caller's business.
#ifndef ACLNN_CTS_SIDE_CALL_H_
#define ACLNN_CTS_SIDE_CALL_H_

#include <cstdint>

#include "aclnn_cts/case.h"
#include "case_memory.h"
#include "case_run.h"
#include "run_events.h"
#include "two_phase.h"
#include "workspace.h"

namespace aclnn_cts {

enum class SideOutcome {
  kDone,
  kFailed,
  kDeviceLost,  ///< waiting for the stream failed
};

/// What is to be called, with which memory; `event` names the events.
struct SideRequest {
  const char *event;
  const SideCall &call;
  const AddressOf &addressOf;
};

/// The call between its phases, with a workspace of its own.
class PlannedSideCall {
 public:
  /// Makes phase one and records its status. All but the request must outlive the object. Throws
  /// as ExecuteRun.
  PlannedSideCall(const SideRequest &request, const Bench &bench, const RunSetting &setting,
                  const Margins &margins, RunEvents &events);

  /// Whether phase one accepted the call; nothing else may be asked for if not.
  bool IsPlanned() const { return call_.Status() == 0; }
  /// Phase two, waiting for the stream, and a record of the status. Throws as ExecuteRun.
  SideOutcome Launch();
  /// Phase two alone: neither waits nor records nor throws.
  void Enqueue();
  /// Records what Enqueue found, once the stream was waited for. Throws as ExecuteRun.
  void RecordEnqueued();

 private:
  const char *event_;
  const Bench &bench_;
  const RunSetting &setting_;
  RunEvents &events_;
  Arguments arguments_;
  PlannedCall call_;
  Workspace workspace_;
  LaunchResult enqueued_ = {};
};

/// Another call of the measured operator, with other shapes or attributes, and memory of its own.
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

#endif  // ACLNN_CTS_SIDE_CALL_H_
