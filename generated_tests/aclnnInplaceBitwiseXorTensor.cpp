// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBitwiseXorTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_xor_tensor.h"

namespace {

aclnnStatus PlanInplaceBitwiseXorTensor(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceBitwiseXorTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBitwiseXorTensor({"aclnnInplaceBitwiseXorTensor",
                                                        PlanInplaceBitwiseXorTensor,
                                                        aclnnInplaceBitwiseXorTensor});

}  // namespace
