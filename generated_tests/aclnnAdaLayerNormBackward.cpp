// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaLayerNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ada_layer_norm_backward.h"

namespace {

aclnnStatus PlanAdaLayerNormBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnAdaLayerNormBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("input"), arguments.IntArray("normalizedShape"),
      arguments.Tensor("rstd"), arguments.Tensor("mean"), arguments.Tensor("scale"),
      arguments.Tensor("shift"), arguments.Tensor("weightOptional"),
      arguments.Tensor("biasOptional"), arguments.Tensor("gradInputOut"),
      arguments.Tensor("gradScaleOut"), arguments.Tensor("gradShiftOut"),
      arguments.Tensor("gradWeightOut"), arguments.Tensor("gradBiasOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaLayerNormBackward({"aclnnAdaLayerNormBackward",
                                                     PlanAdaLayerNormBackward,
                                                     aclnnAdaLayerNormBackward});

}  // namespace
