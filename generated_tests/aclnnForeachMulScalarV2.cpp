// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMulScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_mul_scalar_v2.h"

namespace {

aclnnStatus PlanForeachMulScalarV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachMulScalarV2GetWorkspaceSize(
      arguments.TensorList("x"), arguments.Scalar("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMulScalarV2({"aclnnForeachMulScalarV2",
                                                   PlanForeachMulScalarV2,
                                                   aclnnForeachMulScalarV2});

}  // namespace
