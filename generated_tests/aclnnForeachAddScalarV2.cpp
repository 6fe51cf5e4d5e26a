// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAddScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_add_scalar_v2.h"

namespace {

aclnnStatus PlanForeachAddScalarV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachAddScalarV2GetWorkspaceSize(
      arguments.TensorList("x"), arguments.Scalar("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAddScalarV2({"aclnnForeachAddScalarV2",
                                                   PlanForeachAddScalarV2,
                                                   aclnnForeachAddScalarV2});

}  // namespace
