// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReplicationPad2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_replication_pad2d.h"

namespace {

aclnnStatus PlanReplicationPad2d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnReplicationPad2dGetWorkspaceSize(arguments.Tensor("self"),
                                               arguments.IntArray("padding"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kReplicationPad2d({"aclnnReplicationPad2d", PlanReplicationPad2d,
                                                 aclnnReplicationPad2d});

}  // namespace
