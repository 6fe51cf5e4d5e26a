// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSubScalarInplace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sub_scalar_inplace.h"

namespace {

aclnnStatus PlanForeachSubScalarInplace(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachSubScalarInplaceGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSubScalarInplace({"aclnnForeachSubScalarInplace",
                                                        PlanForeachSubScalarInplace,
                                                        aclnnForeachSubScalarInplace});

}  // namespace
