// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClippedSwigluV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clipped_swiglu_v2.h"

namespace {

aclnnStatus PlanClippedSwigluV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnClippedSwigluV2GetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("groupIndexOptional"), arguments.Int64("dim"),
      arguments.Double("alpha"), arguments.Double("limit"), arguments.Double("bias"),
      arguments.Bool("interleaved"), arguments.Int64("clampMode"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kClippedSwigluV2({"aclnnClippedSwigluV2", PlanClippedSwigluV2,
                                                aclnnClippedSwigluV2});

}  // namespace
