// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReplicationPad2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_replication_pad2d_backward.h"

namespace {

aclnnStatus PlanReplicationPad2dBackward(const aclnn_cts::Arguments &arguments,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnReplicationPad2dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("padding"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kReplicationPad2dBackward({"aclnnReplicationPad2dBackward",
                                                         PlanReplicationPad2dBackward,
                                                         aclnnReplicationPad2dBackward});

}  // namespace
