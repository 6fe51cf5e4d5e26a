// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRemainderTensorTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_remainder.h"

namespace {

aclnnStatus PlanInplaceRemainderTensorTensor(const aclnn_cts::Arguments &arguments,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceRemainderTensorTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRemainderTensorTensor({"aclnnInplaceRemainderTensorTensor",
                                                             PlanInplaceRemainderTensorTensor,
                                                             aclnnInplaceRemainderTensorTensor});

}  // namespace
