// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSiluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_silu_backward.h"

namespace {

aclnnStatus PlanSiluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnSiluBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"), arguments.Tensor("self"),
                                           arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kSiluBackward({"aclnnSiluBackward", PlanSiluBackward,
                                             aclnnSiluBackward});

}  // namespace
