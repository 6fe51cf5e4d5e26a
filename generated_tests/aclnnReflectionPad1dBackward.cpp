// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReflectionPad1dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reflection_pad1d_backward.h"

namespace {

aclnnStatus PlanReflectionPad1dBackward(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnReflectionPad1dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("padding"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kReflectionPad1dBackward({"aclnnReflectionPad1dBackward",
                                                        PlanReflectionPad1dBackward,
                                                        aclnnReflectionPad1dBackward});

}  // namespace
