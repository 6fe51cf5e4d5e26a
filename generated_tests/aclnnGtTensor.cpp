// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGtTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gt_tensor.h"

namespace {

aclnnStatus PlanGtTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnGtTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGtTensor({"aclnnGtTensor", PlanGtTensor, aclnnGtTensor});

}  // namespace
