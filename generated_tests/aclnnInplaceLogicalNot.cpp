// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLogicalNot.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logical_not.h"

namespace {

aclnnStatus PlanInplaceLogicalNot(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnInplaceLogicalNotGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize,
                                                executor);
}

const aclnn_cts::Registration kInplaceLogicalNot({"aclnnInplaceLogicalNot", PlanInplaceLogicalNot,
                                                  aclnnInplaceLogicalNot});

}  // namespace
