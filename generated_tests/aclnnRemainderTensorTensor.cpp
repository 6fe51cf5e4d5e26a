// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRemainderTensorTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_remainder.h"

namespace {

aclnnStatus PlanRemainderTensorTensor(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnRemainderTensorTensorGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("other"), arguments.Tensor("out"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kRemainderTensorTensor({"aclnnRemainderTensorTensor",
                                                      PlanRemainderTensorTensor,
                                                      aclnnRemainderTensorTensor});

}  // namespace
