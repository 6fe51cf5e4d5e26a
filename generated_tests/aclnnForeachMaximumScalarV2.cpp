// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMaximumScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_v2.h"

namespace {

aclnnStatus PlanForeachMaximumScalarV2(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachMaximumScalarV2GetWorkspaceSize(
      arguments.TensorList("x"), arguments.Scalar("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMaximumScalarV2({"aclnnForeachMaximumScalarV2",
                                                       PlanForeachMaximumScalarV2,
                                                       aclnnForeachMaximumScalarV2});

}  // namespace
