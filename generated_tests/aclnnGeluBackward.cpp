// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gelu_backward.h"

namespace {

aclnnStatus PlanGeluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnGeluBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"), arguments.Tensor("self"),
                                           arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeluBackward({"aclnnGeluBackward", PlanGeluBackward,
                                             aclnnGeluBackward});

}  // namespace
