// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBitwiseAndTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"

namespace {

aclnnStatus PlanBitwiseAndTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnBitwiseAndTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBitwiseAndTensor({"aclnnBitwiseAndTensor", PlanBitwiseAndTensor,
                                                 aclnnBitwiseAndTensor});

}  // namespace
