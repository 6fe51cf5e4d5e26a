// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPowTensorTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"

namespace {

aclnnStatus PlanPowTensorTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnPowTensorTensorGetWorkspaceSize(arguments.Tensor("self"),
                                              arguments.Tensor("exponent"), arguments.Tensor("out"),
                                              workspaceSize, executor);
}

const aclnn_cts::Registration kPowTensorTensor({"aclnnPowTensorTensor", PlanPowTensorTensor,
                                                aclnnPowTensorTensor});

}  // namespace
