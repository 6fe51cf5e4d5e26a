// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplacePowTensorTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"

namespace {

aclnnStatus PlanInplacePowTensorTensor(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplacePowTensorTensorGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("exponent"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplacePowTensorTensor({"aclnnInplacePowTensorTensor",
                                                       PlanInplacePowTensorTensor,
                                                       aclnnInplacePowTensorTensor});

}  // namespace
