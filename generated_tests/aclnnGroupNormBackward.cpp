// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_group_norm_backward.h"

namespace {

aclnnStatus PlanGroupNormBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnGroupNormBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("input"), arguments.Tensor("mean"),
      arguments.Tensor("rstd"), arguments.Tensor("gamma"), arguments.Int64("N"),
      arguments.Int64("C"), arguments.Int64("HxW"), arguments.Int64("group"),
      arguments.BoolArray("outputMask"), arguments.Tensor("gradInput"),
      arguments.Tensor("gradGammaOut"), arguments.Tensor("gradBetaOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kGroupNormBackward({"aclnnGroupNormBackward", PlanGroupNormBackward,
                                                  aclnnGroupNormBackward});

}  // namespace
