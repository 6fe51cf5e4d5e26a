// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceFillTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fill_tensor.h"

namespace {

aclnnStatus PlanInplaceFillTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnInplaceFillTensorGetWorkspaceSize(arguments.Tensor("selfRef"),
                                                arguments.Tensor("value"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceFillTensor({"aclnnInplaceFillTensor", PlanInplaceFillTensor,
                                                  aclnnInplaceFillTensor});

}  // namespace
