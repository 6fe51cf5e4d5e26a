// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAddcmulScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar.h"

namespace {

aclnnStatus PlanForeachAddcmulScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnForeachAddcmulScalarGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.TensorList("x3"),
      arguments.Tensor("scalar"), arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAddcmulScalar({"aclnnForeachAddcmulScalar",
                                                     PlanForeachAddcmulScalar,
                                                     aclnnForeachAddcmulScalar});

}  // namespace
