// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClampTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanClampTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnClampTensorGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("clipValueMin"), arguments.Tensor("clipValueMax"),
      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kClampTensor({"aclnnClampTensor", PlanClampTensor, aclnnClampTensor});

}  // namespace
