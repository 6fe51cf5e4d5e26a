// SPDX-License-Identifier: Apache-2.0
/// A side call: of a producer, another operator, or a decoy. The caller handles its results.
#ifndef ACLNN_CTS_SIDE_CALL_H_
#define ACLNN_CTS_SIDE_CALL_H_

#include <cstdint>
#include <string>

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

/// A side call and its memory; `event` names the events.
struct SideRequest {
  const char *event;
  const SideCall &call;
  const AddressOf &addressOf;
};

/// A call between its phases, with its own workspace.
class PlannedSideCall {
 public:
  /// Makes phase one and records its status. All arguments except the request must outlive the
  /// object. Throws as ExecuteRun.
  PlannedSideCall(const SideRequest &request, const Bench &bench, const RunSetting &setting,
                  const Margins &margins, RunEvents &events);

  /// Whether phase one accepted the call; otherwise no other function may be called.
  bool IsPlanned() const { return call_.Status() == 0; }
  /// Makes phase two, waits for the stream, and records the status. Throws as ExecuteRun.
  SideOutcome Launch();
  /// Makes phase two without waiting, recording or throwing.
  void Enqueue();
  /// Records the result of Enqueue after the stream was waited for. Throws as ExecuteRun.
  void RecordEnqueued();

 private:
  const char *event_;
  const std::string &operatorName_;
  const Bench &bench_;
  const RunSetting &setting_;
  RunEvents &events_;
  Arguments arguments_;
  PlannedCall call_;
  Workspace workspace_;
  LaunchResult enqueued_ = {};
};

/// Another call of the measured operator, with other shapes or attributes, and its own memory. Its
/// inputs hold zeros, which are valid data of any input; its results are ignored.
class Decoy {
 public:
  /// Allocates memory, and makes and records phase one. All arguments must outlive the object.
  /// Throws as ExecuteRun.
  Decoy(const Bench &bench, const RunSetting &setting, const Case &described, RunEvents &events);

  PlannedSideCall &Call() { return call_; }

 private:
  TensorMemories memories_;  // before the call, which asks for its addresses
  PlannedSideCall call_;
};

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_SIDE_CALL_H_
