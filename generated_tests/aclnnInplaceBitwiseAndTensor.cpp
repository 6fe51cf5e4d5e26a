// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBitwiseAndTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"

namespace {

aclnnStatus PlanInplaceBitwiseAndTensor(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceBitwiseAndTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBitwiseAndTensor({"aclnnInplaceBitwiseAndTensor",
                                                        PlanInplaceBitwiseAndTensor,
                                                        aclnnInplaceBitwiseAndTensor});

}  // namespace
