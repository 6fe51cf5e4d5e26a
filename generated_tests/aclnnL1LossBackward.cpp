// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnL1LossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_l1_loss_backward.h"

namespace {

aclnnStatus PlanL1LossBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnL1LossBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Int64("reduction"), arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kL1LossBackward({"aclnnL1LossBackward", PlanL1LossBackward,
                                               aclnnL1LossBackward});

}  // namespace
