// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMaximumScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_maximum_scalar.h"

namespace {

aclnnStatus PlanForeachMaximumScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnForeachMaximumScalarGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMaximumScalar({"aclnnForeachMaximumScalar",
                                                     PlanForeachMaximumScalar,
                                                     aclnnForeachMaximumScalar});

}  // namespace
