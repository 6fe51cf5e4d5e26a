// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMultilabelMarginLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_multilabel_margin_loss.h"

namespace {

aclnnStatus PlanMultilabelMarginLoss(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnMultilabelMarginLossGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("target"), arguments.Int64("reduction"),
      arguments.Tensor("out"), arguments.Tensor("isTarget"), workspaceSize, executor);
}

const aclnn_cts::Registration kMultilabelMarginLoss({"aclnnMultilabelMarginLoss",
                                                     PlanMultilabelMarginLoss,
                                                     aclnnMultilabelMarginLoss});

}  // namespace
