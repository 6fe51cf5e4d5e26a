// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBitwiseXorTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_xor_tensor.h"

namespace {

aclnnStatus PlanBitwiseXorTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnBitwiseXorTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBitwiseXorTensor({"aclnnBitwiseXorTensor", PlanBitwiseXorTensor,
                                                 aclnnBitwiseXorTensor});

}  // namespace
