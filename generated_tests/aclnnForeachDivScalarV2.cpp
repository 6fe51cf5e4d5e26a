// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachDivScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_div_scalar_v2.h"

namespace {

aclnnStatus PlanForeachDivScalarV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachDivScalarV2GetWorkspaceSize(
      arguments.TensorList("x"), arguments.Scalar("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachDivScalarV2({"aclnnForeachDivScalarV2",
                                                   PlanForeachDivScalarV2,
                                                   aclnnForeachDivScalarV2});

}  // namespace
