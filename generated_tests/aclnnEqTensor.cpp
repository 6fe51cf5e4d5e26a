// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEqTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_eq_tensor.h"

namespace {

aclnnStatus PlanEqTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnEqTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kEqTensor({"aclnnEqTensor", PlanEqTensor, aclnnEqTensor});

}  // namespace
