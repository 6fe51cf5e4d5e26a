// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSmoothL1LossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_smooth_l1_loss_backward.h"

namespace {

aclnnStatus PlanSmoothL1LossBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnSmoothL1LossBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Int64("reduction"), arguments.Float("beta"), arguments.Tensor("gradInput"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kSmoothL1LossBackward({"aclnnSmoothL1LossBackward",
                                                     PlanSmoothL1LossBackward,
                                                     aclnnSmoothL1LossBackward});

}  // namespace
