// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAcosh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_acosh.h"

namespace {

aclnnStatus PlanInplaceAcosh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceAcoshGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAcosh({"aclnnInplaceAcosh", PlanInplaceAcosh,
                                             aclnnInplaceAcosh});

}  // namespace
