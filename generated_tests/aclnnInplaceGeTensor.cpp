// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceGeTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ge_tensor.h"

namespace {

aclnnStatus PlanInplaceGeTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceGeTensorGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceGeTensor({"aclnnInplaceGeTensor", PlanInplaceGeTensor,
                                                aclnnInplaceGeTensor});

}  // namespace
