// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceEqTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_eq_tensor.h"

namespace {

aclnnStatus PlanInplaceEqTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceEqTensorGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceEqTensor({"aclnnInplaceEqTensor", PlanInplaceEqTensor,
                                                aclnnInplaceEqTensor});

}  // namespace
