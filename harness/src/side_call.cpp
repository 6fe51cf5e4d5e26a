// SPDX-License-Identifier: Apache-2.0
#include "side_call.h"

#include "two_phase.h"
#include "workspace.h"

namespace aclnn_cts {

SideOutcome MakeSideCall(const SideRequest &request, const Bench &bench, const RunSetting &setting,
                         int64_t slackBytes, RunEvents &events) {
  const Arguments arguments(request.call.where, request.call.parameters, request.addressOf);
  PlannedCall call(*FindOperator(request.call.operatorName), arguments);
  events.SidePhase(request.event, 1, call.Status(), call.Message());
  arguments.RequireAllAsked();
  if (call.Status() != 0) return SideOutcome::kFailed;
  Workspace workspace;
  workspace.Provide(call.WorkspaceBytes(), slackBytes, WorkspacePoisonOf(setting.number));
  const LaunchResult launched = call.Launch(workspace.Address(), setting.stream, bench.timeoutMs);
  const int32_t status = launched.status != 0 ? launched.status : launched.synchronize;
  events.SidePhase(request.event, 2, status, launched.message);
  if (launched.synchronize != 0) return SideOutcome::kDeviceLost;
  return status == 0 ? SideOutcome::kDone : SideOutcome::kFailed;
}

}  // namespace aclnn_cts
