// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAddScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_add_scalar.h"

namespace {

aclnnStatus PlanForeachAddScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnForeachAddScalarGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAddScalar({"aclnnForeachAddScalar", PlanForeachAddScalar,
                                                 aclnnForeachAddScalar});

}  // namespace
