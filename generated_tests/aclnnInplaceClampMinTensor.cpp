// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceClampMinTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanInplaceClampMinTensor(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceClampMinTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("clipValueMin"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceClampMinTensor({"aclnnInplaceClampMinTensor",
                                                      PlanInplaceClampMinTensor,
                                                      aclnnInplaceClampMinTensor});

}  // namespace
