// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSubScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sub_scalar.h"

namespace {

aclnnStatus PlanForeachSubScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnForeachSubScalarGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSubScalar({"aclnnForeachSubScalar", PlanForeachSubScalar,
                                                 aclnnForeachSubScalar});

}  // namespace
