// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAvgPool2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_avgpool2d_backward.h"

namespace {

aclnnStatus PlanAvgPool2dBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnAvgPool2dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("kernelSize"),
      arguments.IntArray("stride"), arguments.IntArray("padding"), arguments.Bool("ceilMode"),
      arguments.Bool("countIncludePad"), arguments.Int64("divisorOverride"),
      arguments.Int8("cubeMathType"), arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kAvgPool2dBackward({"aclnnAvgPool2dBackward", PlanAvgPool2dBackward,
                                                  aclnnAvgPool2dBackward});

}  // namespace
