// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReflectionPad3dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reflection_pad3d_backward.h"

namespace {

aclnnStatus PlanReflectionPad3dBackward(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnReflectionPad3dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("padding"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kReflectionPad3dBackward({"aclnnReflectionPad3dBackward",
                                                        PlanReflectionPad3dBackward,
                                                        aclnnReflectionPad3dBackward});

}  // namespace
