// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBitwiseOrTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"

namespace {

aclnnStatus PlanBitwiseOrTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnBitwiseOrTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBitwiseOrTensor({"aclnnBitwiseOrTensor", PlanBitwiseOrTensor,
                                                aclnnBitwiseOrTensor});

}  // namespace
