// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachZeroInplace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_zero_inplace.h"

namespace {

aclnnStatus PlanForeachZeroInplace(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachZeroInplaceGetWorkspaceSize(arguments.TensorList("x"), workspaceSize,
                                                 executor);
}

const aclnn_cts::Registration kForeachZeroInplace({"aclnnForeachZeroInplace",
                                                   PlanForeachZeroInplace,
                                                   aclnnForeachZeroInplace});

}  // namespace
