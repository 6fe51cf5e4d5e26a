// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFmodTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fmod_tensor.h"

namespace {

aclnnStatus PlanFmodTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnFmodTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kFmodTensor({"aclnnFmodTensor", PlanFmodTensor, aclnnFmodTensor});

}  // namespace
