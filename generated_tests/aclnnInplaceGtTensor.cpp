// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceGtTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gt_tensor.h"

namespace {

aclnnStatus PlanInplaceGtTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceGtTensorGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceGtTensor({"aclnnInplaceGtTensor", PlanInplaceGtTensor,
                                                aclnnInplaceGtTensor});

}  // namespace
