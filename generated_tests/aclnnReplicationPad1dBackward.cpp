// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReplicationPad1dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_replication_pad1d_backward.h"

namespace {

aclnnStatus PlanReplicationPad1dBackward(const aclnn_cts::Arguments &arguments,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnReplicationPad1dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.IntArray("padding"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kReplicationPad1dBackward({"aclnnReplicationPad1dBackward",
                                                         PlanReplicationPad1dBackward,
                                                         aclnnReplicationPad1dBackward});

}  // namespace
