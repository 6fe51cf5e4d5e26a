// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachPowScalarV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_pow_scalar_v2.h"

namespace {

aclnnStatus PlanForeachPowScalarV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachPowScalarV2GetWorkspaceSize(
      arguments.TensorList("x"), arguments.Scalar("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachPowScalarV2({"aclnnForeachPowScalarV2",
                                                   PlanForeachPowScalarV2,
                                                   aclnnForeachPowScalarV2});

}  // namespace
