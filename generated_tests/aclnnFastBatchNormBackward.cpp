// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFastBatchNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fast_batch_norm_backward.h"

namespace {

aclnnStatus PlanFastBatchNormBackward(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnFastBatchNormBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("input"), arguments.Tensor("weight"),
      arguments.Tensor("runningMean"), arguments.Tensor("runningVar"), arguments.Tensor("saveMean"),
      arguments.Tensor("saveInvstd"), arguments.Bool("training"), arguments.Double("eps"),
      arguments.BoolArray("outputMask"), arguments.Int32("version"), arguments.Tensor("gradInput"),
      arguments.Tensor("gradWeight"), arguments.Tensor("gradBias"), workspaceSize, executor);
}

const aclnn_cts::Registration kFastBatchNormBackward({"aclnnFastBatchNormBackward",
                                                      PlanFastBatchNormBackward,
                                                      aclnnFastBatchNormBackward});

}  // namespace
