// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAcos.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_acos.h"

namespace {

aclnnStatus PlanInplaceAcos(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceAcosGetWorkspaceSize(arguments.Tensor("inputRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAcos({"aclnnInplaceAcos", PlanInplaceAcos, aclnnInplaceAcos});

}  // namespace
