// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_batch_norm_backward.h"

namespace {

aclnnStatus PlanBatchNormBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnBatchNormBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("input"), arguments.Tensor("weight"),
      arguments.Tensor("runningMean"), arguments.Tensor("runningVar"), arguments.Tensor("saveMean"),
      arguments.Tensor("saveInvstd"), arguments.Bool("training"), arguments.Double("eps"),
      arguments.BoolArray("outputMask"), arguments.Tensor("gradInput"),
      arguments.Tensor("gradWeight"), arguments.Tensor("gradBias"), workspaceSize, executor);
}

const aclnn_cts::Registration kBatchNormBackward({"aclnnBatchNormBackward", PlanBatchNormBackward,
                                                  aclnnBatchNormBackward});

}  // namespace
