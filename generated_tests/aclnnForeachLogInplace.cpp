// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachLogInplace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_log_inplace.h"

namespace {

aclnnStatus PlanForeachLogInplace(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnForeachLogInplaceGetWorkspaceSize(arguments.TensorList("x"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachLogInplace({"aclnnForeachLogInplace", PlanForeachLogInplace,
                                                  aclnnForeachLogInplace});

}  // namespace
