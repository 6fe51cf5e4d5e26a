// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAtanh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_atanh.h"

namespace {

aclnnStatus PlanInplaceAtanh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceAtanhGetWorkspaceSize(arguments.Tensor("inputRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAtanh({"aclnnInplaceAtanh", PlanInplaceAtanh,
                                             aclnnInplaceAtanh});

}  // namespace
