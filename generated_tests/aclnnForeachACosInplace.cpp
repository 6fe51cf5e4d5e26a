// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachACosInplace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_a_cos_inplace.h"

namespace {

aclnnStatus PlanForeachACosInplace(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachACosInplaceGetWorkspaceSize(arguments.TensorList("x"), workspaceSize,
                                                 executor);
}

const aclnn_cts::Registration kForeachACosInplace({"aclnnForeachACosInplace",
                                                   PlanForeachACosInplace,
                                                   aclnnForeachACosInplace});

}  // namespace
