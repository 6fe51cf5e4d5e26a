// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRemainderTensorScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_remainder.h"

namespace {

aclnnStatus PlanRemainderTensorScalar(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnRemainderTensorScalarGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Scalar("other"), arguments.Tensor("out"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kRemainderTensorScalar({"aclnnRemainderTensorScalar",
                                                      PlanRemainderTensorScalar,
                                                      aclnnRemainderTensorScalar});

}  // namespace
