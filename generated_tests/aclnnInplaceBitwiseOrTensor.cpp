// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBitwiseOrTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"

namespace {

aclnnStatus PlanInplaceBitwiseOrTensor(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceBitwiseOrTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBitwiseOrTensor({"aclnnInplaceBitwiseOrTensor",
                                                       PlanInplaceBitwiseOrTensor,
                                                       aclnnInplaceBitwiseOrTensor});

}  // namespace
