// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSeluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_selu_backward.h"

namespace {

aclnnStatus PlanSeluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnSeluBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"),
                                           arguments.Tensor("result"),
                                           arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kSeluBackward({"aclnnSeluBackward", PlanSeluBackward,
                                             aclnnSeluBackward});

}  // namespace
