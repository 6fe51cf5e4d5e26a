// SPDX-License-Identifier: Apache-2.0
#include "side_call.h"

namespace aclnn_cts {

PlannedSideCall::PlannedSideCall(const SideRequest &request, const Bench &bench,
                                 const RunSetting &setting, const Margins &margins,
                                 RunEvents &events)
    : event_(request.event),
      operatorName_(request.call.operatorName),
      bench_(bench),
      setting_(setting),
      events_(events),
      arguments_(request.call.where, request.call.parameters, request.addressOf),
      call_(*FindOperator(request.call.operatorName), arguments_) {
  events_.SidePhase(event_, 1, call_.Status(), call_.Message(), operatorName_);
  arguments_.RequireAllAsked();
  if (!IsPlanned()) return;
  workspace_.Provide(call_.WorkspaceBytes(), margins, setting_.content);
}

SideOutcome PlannedSideCall::Launch() {
  const LaunchResult launched =
      call_.Launch(workspace_.Address(), setting_.stream, bench_.timeoutMs);
  const int32_t status = launched.status != 0 ? launched.status : launched.synchronize;
  events_.SidePhase(event_, 2, status, launched.message, operatorName_);
  if (launched.synchronize != 0) return SideOutcome::kDeviceLost;
  return status == 0 ? SideOutcome::kDone : SideOutcome::kFailed;
}

void PlannedSideCall::Enqueue() {
  enqueued_ = call_.Enqueue(workspace_.Address(), setting_.stream);
}

void PlannedSideCall::RecordEnqueued() {
  events_.SidePhase(event_, 2, enqueued_.status, enqueued_.message, operatorName_);
}

namespace {

// The surroundings of a decoy's memory are not checked, so wide guards would be wasted.
Margins Narrow(const Case &described) {
  Margins margins;
  margins.slack = described.margins.slack;
  return margins;
}

TensorMemories Zeros(const Case &described) {
  return Allocate(described.decoy.parameters, Narrow(described),
                  {InputData(), Alteration::kZeros, Content::kZeros, Content::kZeros});
}

}  // namespace

Decoy::Decoy(const Bench &bench, const RunSetting &setting, const Case &described,
             RunEvents &events)
    : memories_(Zeros(described)),
      call_({"decoy", described.decoy,
             [&](const TensorFacts &facts) {
               return FindMemory(described.decoy.parameters, memories_, facts.name).Address();
             }},
            bench, setting, Narrow(described), events) {}

}  // namespace aclnn_cts
