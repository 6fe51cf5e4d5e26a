// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAsinh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_asinh.h"

namespace {

aclnnStatus PlanInplaceAsinh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceAsinhGetWorkspaceSize(arguments.Tensor("inputRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAsinh({"aclnnInplaceAsinh", PlanInplaceAsinh,
                                             aclnnInplaceAsinh});

}  // namespace
