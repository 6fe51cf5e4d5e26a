// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLerp.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lerp_tensor.h"

namespace {

aclnnStatus PlanLerp(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnLerpGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("end"),
                                   arguments.Tensor("weight"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kLerp({"aclnnLerp", PlanLerp, aclnnLerp});

}  // namespace
