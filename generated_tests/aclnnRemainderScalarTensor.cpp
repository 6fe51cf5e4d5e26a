// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRemainderScalarTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_remainder.h"

namespace {

aclnnStatus PlanRemainderScalarTensor(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnRemainderScalarTensorGetWorkspaceSize(
      arguments.Scalar("self"), arguments.Tensor("other"), arguments.Tensor("out"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kRemainderScalarTensor({"aclnnRemainderScalarTensor",
                                                      PlanRemainderScalarTensor,
                                                      aclnnRemainderScalarTensor});

}  // namespace
