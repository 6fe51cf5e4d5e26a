// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFusedCrossEntropyLossWithMaxSum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fused_cross_entropy_loss_with_max_sum.h"

namespace {

aclnnStatus PlanFusedCrossEntropyLossWithMaxSum(const aclnn_cts::Arguments &arguments,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(
      arguments.Tensor("logitsMax"), arguments.Tensor("sumExpLogits"),
      arguments.Tensor("predictedLogits"), arguments.Float("labelSmoothing"),
      arguments.Tensor("inputOptional"), arguments.Tensor("weightOptional"),
      arguments.Tensor("vocabParallelLogitsOptional"), arguments.Tensor("lossOut"),
      arguments.Tensor("softMaxOutOptional"), workspaceSize, executor);
}

const aclnn_cts::Registration kFusedCrossEntropyLossWithMaxSum(
    {"aclnnFusedCrossEntropyLossWithMaxSum", PlanFusedCrossEntropyLossWithMaxSum,
     aclnnFusedCrossEntropyLossWithMaxSum});

}  // namespace
