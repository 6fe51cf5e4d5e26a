// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceExp2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_exp2.h"

namespace {

aclnnStatus PlanInplaceExp2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceExp2GetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceExp2({"aclnnInplaceExp2", PlanInplaceExp2, aclnnInplaceExp2});

}  // namespace
