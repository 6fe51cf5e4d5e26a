// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwigluGroupQuantGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_swiglu_group_quant_grad.h"

namespace {

aclnnStatus PlanSwigluGroupQuantGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnSwigluGroupQuantGradGetWorkspaceSize(
      arguments.Tensor("gradY"), arguments.Tensor("x"), arguments.Tensor("weightOptional"),
      arguments.Tensor("yOriginOptional"), arguments.Tensor("groupIndexOptional"),
      arguments.Double("clampLimit"), arguments.Tensor("gradXOut"),
      arguments.Tensor("gradWeightOutOptional"), workspaceSize, executor);
}

const aclnn_cts::Registration kSwigluGroupQuantGrad({"aclnnSwigluGroupQuantGrad",
                                                     PlanSwigluGroupQuantGrad,
                                                     aclnnSwigluGroupQuantGrad});

}  // namespace
