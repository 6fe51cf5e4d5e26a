// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftMarginLossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_soft_margin_loss_backward.h"

namespace {

aclnnStatus PlanSoftMarginLossBackward(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnSoftMarginLossBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Int64("reduction"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kSoftMarginLossBackward({"aclnnSoftMarginLossBackward",
                                                       PlanSoftMarginLossBackward,
                                                       aclnnSoftMarginLossBackward});

}  // namespace
