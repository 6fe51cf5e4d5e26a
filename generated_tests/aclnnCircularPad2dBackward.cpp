// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCircularPad2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_circular_pad2d_backward.h"

namespace {

aclnnStatus PlanCircularPad2dBackward(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnCircularPad2dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("padding"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kCircularPad2dBackward({"aclnnCircularPad2dBackward",
                                                      PlanCircularPad2dBackward,
                                                      aclnnCircularPad2dBackward});

}  // namespace
