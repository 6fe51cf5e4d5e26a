// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAddcmulScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_v2.h"

namespace {

aclnnStatus PlanForeachAddcmulScalarV2(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachAddcmulScalarV2GetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.TensorList("x3"),
      arguments.Scalar("scalar"), arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAddcmulScalarV2({"aclnnForeachAddcmulScalarV2",
                                                       PlanForeachAddcmulScalarV2,
                                                       aclnnForeachAddcmulScalarV2});

}  // namespace
