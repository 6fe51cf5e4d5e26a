// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnL1Loss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_l1_loss.h"

namespace {

aclnnStatus PlanL1Loss(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnL1LossGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("target"),
                                     arguments.Int64("reduction"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kL1Loss({"aclnnL1Loss", PlanL1Loss, aclnnL1Loss});

}  // namespace
