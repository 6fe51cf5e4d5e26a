// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReplicationPad1d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_replication_pad1d.h"

namespace {

aclnnStatus PlanReplicationPad1d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnReplicationPad1dGetWorkspaceSize(arguments.Tensor("self"),
                                               arguments.IntArray("padding"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kReplicationPad1d({"aclnnReplicationPad1d", PlanReplicationPad1d,
                                                 aclnnReplicationPad1d});

}  // namespace
