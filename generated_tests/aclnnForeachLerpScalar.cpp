// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachLerpScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_lerp_scalar.h"

namespace {

aclnnStatus PlanForeachLerpScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnForeachLerpScalarGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.Scalar("weight"),
      arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachLerpScalar({"aclnnForeachLerpScalar", PlanForeachLerpScalar,
                                                  aclnnForeachLerpScalar});

}  // namespace
