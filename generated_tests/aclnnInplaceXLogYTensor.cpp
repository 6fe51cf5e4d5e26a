// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceXLogYTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_x_log_y_tensor.h"

namespace {

aclnnStatus PlanInplaceXLogYTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnInplaceXLogYTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceXLogYTensor({"aclnnInplaceXLogYTensor",
                                                   PlanInplaceXLogYTensor,
                                                   aclnnInplaceXLogYTensor});

}  // namespace
