// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLtTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lt_tensor.h"

namespace {

aclnnStatus PlanLtTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnLtTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLtTensor({"aclnnLtTensor", PlanLtTensor, aclnnLtTensor});

}  // namespace
