// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClampMaxTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanClampMaxTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnClampMaxTensorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("max"),
                                             arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kClampMaxTensor({"aclnnClampMaxTensor", PlanClampMaxTensor,
                                               aclnnClampMaxTensor});

}  // namespace
