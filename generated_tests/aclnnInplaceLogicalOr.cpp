// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLogicalOr.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logical_or.h"

namespace {

aclnnStatus PlanInplaceLogicalOr(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnInplaceLogicalOrGetWorkspaceSize(arguments.Tensor("selfRef"),
                                               arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLogicalOr({"aclnnInplaceLogicalOr", PlanInplaceLogicalOr,
                                                 aclnnInplaceLogicalOr});

}  // namespace
