// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClampMinTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanClampMinTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnClampMinTensorGetWorkspaceSize(arguments.Tensor("self"),
                                             arguments.Tensor("clipValueMin"),
                                             arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kClampMinTensor({"aclnnClampMinTensor", PlanClampMinTensor,
                                               aclnnClampMinTensor});

}  // namespace
