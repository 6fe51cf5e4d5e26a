// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnKlDivTargetBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_kl_div_target_backward.h"

namespace {

aclnnStatus PlanKlDivTargetBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnKlDivTargetBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Int64("reduction"), arguments.Bool("logTarget"), arguments.Tensor("gradTarget"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kKlDivTargetBackward({"aclnnKlDivTargetBackward",
                                                    PlanKlDivTargetBackward,
                                                    aclnnKlDivTargetBackward});

}  // namespace
