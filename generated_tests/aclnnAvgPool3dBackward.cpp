// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAvgPool3dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_avgpool3d_backward.h"

namespace {

aclnnStatus PlanAvgPool3dBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnAvgPool3dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("kernelSize"),
      arguments.IntArray("stride"), arguments.IntArray("padding"), arguments.Bool("ceilMode"),
      arguments.Bool("countIncludePad"), arguments.Int64("divisorOverride"),
      arguments.Tensor("output"), workspaceSize, executor);
}

const aclnn_cts::Registration kAvgPool3dBackward({"aclnnAvgPool3dBackward", PlanAvgPool3dBackward,
                                                  aclnnAvgPool3dBackward});

}  // namespace
