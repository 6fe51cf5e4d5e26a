// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSmoothL1Loss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_smooth_l1_loss.h"

namespace {

aclnnStatus PlanSmoothL1Loss(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnSmoothL1LossGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("target"),
                                           arguments.Int64("reduction"), arguments.Float("beta"),
                                           arguments.Tensor("result"), workspaceSize, executor);
}

const aclnn_cts::Registration kSmoothL1Loss({"aclnnSmoothL1Loss", PlanSmoothL1Loss,
                                             aclnnSmoothL1Loss});

}  // namespace
