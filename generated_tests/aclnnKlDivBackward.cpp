// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnKlDivBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_kl_div_backward.h"

namespace {

aclnnStatus PlanKlDivBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnKlDivBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Int64("reduction"), arguments.Bool("logTarget"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kKlDivBackward({"aclnnKlDivBackward", PlanKlDivBackward,
                                              aclnnKlDivBackward});

}  // namespace
