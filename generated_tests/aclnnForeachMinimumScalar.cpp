// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMinimumScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_minimum_scalar.h"

namespace {

aclnnStatus PlanForeachMinimumScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnForeachMinimumScalarGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMinimumScalar({"aclnnForeachMinimumScalar",
                                                     PlanForeachMinimumScalar,
                                                     aclnnForeachMinimumScalar});

}  // namespace
