// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReplicationPad3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_replication_pad3d.h"

namespace {

aclnnStatus PlanReplicationPad3d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnReplicationPad3dGetWorkspaceSize(arguments.Tensor("self"),
                                               arguments.IntArray("padding"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kReplicationPad3d({"aclnnReplicationPad3d", PlanReplicationPad3d,
                                                 aclnnReplicationPad3d});

}  // namespace
