// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftMarginLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_soft_margin_loss.h"

namespace {

aclnnStatus PlanSoftMarginLoss(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnSoftMarginLossGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("target"),
                                             arguments.Int64("reduction"), arguments.Tensor("out"),
                                             workspaceSize, executor);
}

const aclnn_cts::Registration kSoftMarginLoss({"aclnnSoftMarginLoss", PlanSoftMarginLoss,
                                               aclnnSoftMarginLoss});

}  // namespace
