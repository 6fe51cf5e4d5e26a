// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceHardswish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardswish.h"

namespace {

aclnnStatus PlanInplaceHardswish(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnInplaceHardswishGetWorkspaceSize(arguments.Tensor("self"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceHardswish({"aclnnInplaceHardswish", PlanInplaceHardswish,
                                                 aclnnInplaceHardswish});

}  // namespace
