// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLayerNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_layer_norm_backward.h"

namespace {

aclnnStatus PlanLayerNormBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnLayerNormBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("input"), arguments.IntArray("normalizedShape"),
      arguments.Tensor("mean"), arguments.Tensor("rstd"), arguments.Tensor("weightOptional"),
      arguments.Tensor("biasOptional"), arguments.BoolArray("outputMask"),
      arguments.Tensor("gradInputOut"), arguments.Tensor("gradWeightOut"),
      arguments.Tensor("gradBiasOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kLayerNormBackward({"aclnnLayerNormBackward", PlanLayerNormBackward,
                                                  aclnnLayerNormBackward});

}  // namespace
