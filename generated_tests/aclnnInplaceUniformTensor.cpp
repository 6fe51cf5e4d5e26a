// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceUniformTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_uniform.h"

namespace {

aclnnStatus PlanInplaceUniformTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnInplaceUniformTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Double("from"), arguments.Double("to"),
      arguments.Tensor("seedTensor"), arguments.Tensor("offsetTensor"), arguments.Uint64("offset"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceUniformTensor({"aclnnInplaceUniformTensor",
                                                     PlanInplaceUniformTensor,
                                                     aclnnInplaceUniformTensor});

}  // namespace
