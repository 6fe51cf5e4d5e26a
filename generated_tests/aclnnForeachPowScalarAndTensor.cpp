// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachPowScalarAndTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_pow_scalar_and_tensor.h"

namespace {

aclnnStatus PlanForeachPowScalarAndTensor(const aclnn_cts::Arguments &arguments,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachPowScalarAndTensorGetWorkspaceSize(
      arguments.Scalar("scalar"), arguments.TensorList("x"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachPowScalarAndTensor({"aclnnForeachPowScalarAndTensor",
                                                          PlanForeachPowScalarAndTensor,
                                                          aclnnForeachPowScalarAndTensor});

}  // namespace
