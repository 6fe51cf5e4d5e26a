// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAtan2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_atan2.h"

namespace {

aclnnStatus PlanInplaceAtan2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceAtan2GetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("other"),
                                           workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAtan2({"aclnnInplaceAtan2", PlanInplaceAtan2,
                                             aclnnInplaceAtan2});

}  // namespace
