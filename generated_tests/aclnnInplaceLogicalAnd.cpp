// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLogicalAnd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logical_and.h"

namespace {

aclnnStatus PlanInplaceLogicalAnd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnInplaceLogicalAndGetWorkspaceSize(arguments.Tensor("selfRef"),
                                                arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLogicalAnd({"aclnnInplaceLogicalAnd", PlanInplaceLogicalAnd,
                                                  aclnnInplaceLogicalAnd});

}  // namespace
