// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRemainderTensorScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_remainder.h"

namespace {

aclnnStatus PlanInplaceRemainderTensorScalar(const aclnn_cts::Arguments &arguments,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceRemainderTensorScalarGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRemainderTensorScalar({"aclnnInplaceRemainderTensorScalar",
                                                             PlanInplaceRemainderTensorScalar,
                                                             aclnnInplaceRemainderTensorScalar});

}  // namespace
