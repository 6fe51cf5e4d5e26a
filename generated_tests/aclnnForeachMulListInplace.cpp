// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMulListInplace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_mul_list_inplace.h"

namespace {

aclnnStatus PlanForeachMulListInplace(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachMulListInplaceGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMulListInplace({"aclnnForeachMulListInplace",
                                                      PlanForeachMulListInplace,
                                                      aclnnForeachMulListInplace});

}  // namespace
