// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnXLogYTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_x_log_y_tensor.h"

namespace {

aclnnStatus PlanXLogYTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnXLogYTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                          arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kXLogYTensor({"aclnnXLogYTensor", PlanXLogYTensor, aclnnXLogYTensor});

}  // namespace
