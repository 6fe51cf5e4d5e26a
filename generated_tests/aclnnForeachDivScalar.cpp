// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachDivScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_div_scalar.h"

namespace {

aclnnStatus PlanForeachDivScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnForeachDivScalarGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachDivScalar({"aclnnForeachDivScalar", PlanForeachDivScalar,
                                                 aclnnForeachDivScalar});

}  // namespace
