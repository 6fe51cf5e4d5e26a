// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAddcdivScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_v2.h"

namespace {

aclnnStatus PlanForeachAddcdivScalarV2(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachAddcdivScalarV2GetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.TensorList("x3"),
      arguments.Scalar("scalar"), arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAddcdivScalarV2({"aclnnForeachAddcdivScalarV2",
                                                       PlanForeachAddcdivScalarV2,
                                                       aclnnForeachAddcdivScalarV2});

}  // namespace
