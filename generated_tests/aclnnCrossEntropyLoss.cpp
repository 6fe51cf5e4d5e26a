// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCrossEntropyLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cross_entropy_loss.h"

namespace {

aclnnStatus PlanCrossEntropyLoss(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnCrossEntropyLossGetWorkspaceSize(
      arguments.Tensor("input"), arguments.Tensor("target"), arguments.Tensor("weightOptional"),
      arguments.String("reductionOptional"), arguments.Int64("ignoreIndex"),
      arguments.Double("labelSmoothing"), arguments.Double("lseSquareScaleForZloss"),
      arguments.Bool("returnZloss"), arguments.Tensor("lossOut"), arguments.Tensor("logProbOut"),
      arguments.Tensor("zlossOut"), arguments.Tensor("lseForZlossOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kCrossEntropyLoss({"aclnnCrossEntropyLoss", PlanCrossEntropyLoss,
                                                 aclnnCrossEntropyLoss});

}  // namespace
