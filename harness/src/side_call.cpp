// SPDX-License-Identifier: Apache-2.0
#include "side_call.h"

namespace aclnn_cts {

PlannedSideCall::PlannedSideCall(const SideRequest &request, const Bench &bench,
                                 const RunSetting &setting, const Margins &margins,
                                 RunEvents &events)
    : event_(request.event),
      bench_(bench),
      setting_(setting),
      events_(events),
      arguments_(request.call.where, request.call.parameters, request.addressOf),
      call_(*FindOperator(request.call.operatorName), arguments_) {
  events_.SidePhase(event_, 1, call_.Status(), call_.Message());
  arguments_.RequireAllAsked();
  if (!IsPlanned()) return;
  workspace_.Provide(call_.WorkspaceBytes(), margins, setting_.content);
}

SideOutcome PlannedSideCall::Launch() {
  const LaunchResult launched =
      call_.Launch(workspace_.Address(), setting_.stream, bench_.timeoutMs);
  const int32_t status = launched.status != 0 ? launched.status : launched.synchronize;
  events_.SidePhase(event_, 2, status, launched.message);
  if (launched.synchronize != 0) return SideOutcome::kDeviceLost;
  return status == 0 ? SideOutcome::kDone : SideOutcome::kFailed;
}

void PlannedSideCall::Enqueue() {
  enqueued_ = call_.Enqueue(workspace_.Address(), setting_.stream);
}

void PlannedSideCall::RecordEnqueued() {
  events_.SidePhase(event_, 2, enqueued_.status, enqueued_.message);
}

}  // namespace aclnn_cts
