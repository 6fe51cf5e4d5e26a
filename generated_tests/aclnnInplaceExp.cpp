// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceExp.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_exp.h"

namespace {

aclnnStatus PlanInplaceExp(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceExpGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceExp({"aclnnInplaceExp", PlanInplaceExp, aclnnInplaceExp});

}  // namespace
