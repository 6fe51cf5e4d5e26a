// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCircularPad3dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_circular_pad3d_backward.h"

namespace {

aclnnStatus PlanCircularPad3dBackward(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnCircularPad3dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("padding"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kCircularPad3dBackward({"aclnnCircularPad3dBackward",
                                                      PlanCircularPad3dBackward,
                                                      aclnnCircularPad3dBackward});

}  // namespace
