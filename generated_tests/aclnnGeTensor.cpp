// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ge_tensor.h"

namespace {

aclnnStatus PlanGeTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnGeTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeTensor({"aclnnGeTensor", PlanGeTensor, aclnnGeTensor});

}  // namespace
