// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReflectionPad2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reflection_pad2d_backward.h"

namespace {

aclnnStatus PlanReflectionPad2dBackward(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnReflectionPad2dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("padding"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kReflectionPad2dBackward({"aclnnReflectionPad2dBackward",
                                                        PlanReflectionPad2dBackward,
                                                        aclnnReflectionPad2dBackward});

}  // namespace
