// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMulScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_mul_scalar.h"

namespace {

aclnnStatus PlanForeachMulScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnForeachMulScalarGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMulScalar({"aclnnForeachMulScalar", PlanForeachMulScalar,
                                                 aclnnForeachMulScalar});

}  // namespace
