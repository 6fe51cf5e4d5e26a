// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMulScalarInplace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_mul_scalar_inplace.h"

namespace {

aclnnStatus PlanForeachMulScalarInplace(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachMulScalarInplaceGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMulScalarInplace({"aclnnForeachMulScalarInplace",
                                                        PlanForeachMulScalarInplace,
                                                        aclnnForeachMulScalarInplace});

}  // namespace
