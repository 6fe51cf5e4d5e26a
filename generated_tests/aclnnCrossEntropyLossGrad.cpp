// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCrossEntropyLossGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cross_entropy_loss_grad.h"

namespace {

aclnnStatus PlanCrossEntropyLossGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnCrossEntropyLossGradGetWorkspaceSize(
      arguments.Tensor("gradLoss"), arguments.Tensor("logProb"), arguments.Tensor("target"),
      arguments.Tensor("weightOptional"), arguments.Tensor("gradZlossOptional"),
      arguments.Tensor("lseForZlossOptional"), arguments.String("reductionOptional"),
      arguments.Int64("ignoreIndex"), arguments.Double("labelSmoothing"),
      arguments.Double("lseSquareScaleForZloss"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kCrossEntropyLossGrad({"aclnnCrossEntropyLossGrad",
                                                     PlanCrossEntropyLossGrad,
                                                     aclnnCrossEntropyLossGrad});

}  // namespace
