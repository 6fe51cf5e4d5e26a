// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogicalNot.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logical_not.h"

namespace {

aclnnStatus PlanLogicalNot(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnLogicalNotGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kLogicalNot({"aclnnLogicalNot", PlanLogicalNot, aclnnLogicalNot});

}  // namespace
