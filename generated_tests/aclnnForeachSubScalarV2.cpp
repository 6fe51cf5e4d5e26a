// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSubScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sub_scalar_v2.h"

namespace {

aclnnStatus PlanForeachSubScalarV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachSubScalarV2GetWorkspaceSize(
      arguments.TensorList("x"), arguments.Scalar("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSubScalarV2({"aclnnForeachSubScalarV2",
                                                   PlanForeachSubScalarV2,
                                                   aclnnForeachSubScalarV2});

}  // namespace
