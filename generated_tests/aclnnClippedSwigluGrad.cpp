// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClippedSwigluGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clipped_swiglu_grad.h"

namespace {

aclnnStatus PlanClippedSwigluGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnClippedSwigluGradGetWorkspaceSize(
      arguments.Tensor("gradY"), arguments.Tensor("x"), arguments.Tensor("groupIndexOptional"),
      arguments.Int64("dim"), arguments.Double("alpha"), arguments.Double("limit"),
      arguments.Double("bias"), arguments.Bool("interleaved"), arguments.Tensor("gradXOut"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kClippedSwigluGrad({"aclnnClippedSwigluGrad", PlanClippedSwigluGrad,
                                                  aclnnClippedSwigluGrad});

}  // namespace
