// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceExpm1.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_expm1.h"

namespace {

aclnnStatus PlanInplaceExpm1(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceExpm1GetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceExpm1({"aclnnInplaceExpm1", PlanInplaceExpm1,
                                             aclnnInplaceExpm1});

}  // namespace
