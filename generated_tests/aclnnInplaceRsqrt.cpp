// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRsqrt.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rsqrt.h"

namespace {

aclnnStatus PlanInplaceRsqrt(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceRsqrtGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRsqrt({"aclnnInplaceRsqrt", PlanInplaceRsqrt,
                                             aclnnInplaceRsqrt});

}  // namespace
