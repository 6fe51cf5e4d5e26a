// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceClampMaxTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanInplaceClampMaxTensor(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceClampMaxTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("max"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceClampMaxTensor({"aclnnInplaceClampMaxTensor",
                                                      PlanInplaceClampMaxTensor,
                                                      aclnnInplaceClampMaxTensor});

}  // namespace
