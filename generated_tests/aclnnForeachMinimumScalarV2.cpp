// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMinimumScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_v2.h"

namespace {

aclnnStatus PlanForeachMinimumScalarV2(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachMinimumScalarV2GetWorkspaceSize(
      arguments.TensorList("x"), arguments.Scalar("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMinimumScalarV2({"aclnnForeachMinimumScalarV2",
                                                       PlanForeachMinimumScalarV2,
                                                       aclnnForeachMinimumScalarV2});

}  // namespace
