// SPDX-License-Identifier: Apache-2.0
/// A call beside the measured one: a producer's, or another operator's that only runs before.
#ifndef ACLNN_CTS_SIDE_CALL_H_
#define ACLNN_CTS_SIDE_CALL_H_

#include <cstdint>

#include "case_run.h"
#include "run_events.h"

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

/// Makes both phases with a workspace of its own, waits for the stream and records the statuses.
/// Throws as ExecuteRun.
SideOutcome MakeSideCall(const SideRequest &request, const Bench &bench, const RunSetting &setting,
                         int64_t slackBytes, RunEvents &events);

}  // namespace aclnn_cts

#endif  // ACLNN_CTS_SIDE_CALL_H_
