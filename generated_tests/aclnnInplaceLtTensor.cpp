// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLtTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lt_tensor.h"

namespace {

aclnnStatus PlanInplaceLtTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceLtTensorGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLtTensor({"aclnnInplaceLtTensor", PlanInplaceLtTensor,
                                                aclnnInplaceLtTensor});

}  // namespace
