// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachPowScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_pow_scalar.h"

namespace {

aclnnStatus PlanForeachPowScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnForeachPowScalarGetWorkspaceSize(
      arguments.TensorList("x"), arguments.Tensor("scalar"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachPowScalar({"aclnnForeachPowScalar", PlanForeachPowScalar,
                                                 aclnnForeachPowScalar});

}  // namespace
