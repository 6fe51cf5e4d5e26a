// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceFmodTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fmod_tensor.h"

namespace {

aclnnStatus PlanInplaceFmodTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnInplaceFmodTensorGetWorkspaceSize(arguments.Tensor("selfRef"),
                                                arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceFmodTensor({"aclnnInplaceFmodTensor", PlanInplaceFmodTensor,
                                                  aclnnInplaceFmodTensor});

}  // namespace
