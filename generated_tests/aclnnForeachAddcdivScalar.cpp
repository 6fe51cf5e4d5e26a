// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAddcdivScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar.h"

namespace {

aclnnStatus PlanForeachAddcdivScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnForeachAddcdivScalarGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.TensorList("x3"),
      arguments.Tensor("scalar"), arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAddcdivScalar({"aclnnForeachAddcdivScalar",
                                                     PlanForeachAddcdivScalar,
                                                     aclnnForeachAddcdivScalar});

}  // namespace
