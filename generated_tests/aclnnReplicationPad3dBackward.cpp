// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReplicationPad3dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_replication_pad3d_backward.h"

namespace {

aclnnStatus PlanReplicationPad3dBackward(const aclnn_cts::Arguments &arguments,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnReplicationPad3dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("padding"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kReplicationPad3dBackward({"aclnnReplicationPad3dBackward",
                                                         PlanReplicationPad3dBackward,
                                                         aclnnReplicationPad3dBackward});

}  // namespace
