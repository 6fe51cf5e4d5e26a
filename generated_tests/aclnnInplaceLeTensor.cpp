// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLeTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_le_tensor.h"

namespace {

aclnnStatus PlanInplaceLeTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceLeTensorGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLeTensor({"aclnnInplaceLeTensor", PlanInplaceLeTensor,
                                                aclnnInplaceLeTensor});

}  // namespace
