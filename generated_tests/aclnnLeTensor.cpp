// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLeTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_le_tensor.h"

namespace {

aclnnStatus PlanLeTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnLeTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLeTensor({"aclnnLeTensor", PlanLeTensor, aclnnLeTensor});

}  // namespace
