// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTanhBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_tanh_backward.h"

namespace {

aclnnStatus PlanTanhBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnTanhBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"),
                                           arguments.Tensor("output"),
                                           arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kTanhBackward({"aclnnTanhBackward", PlanTanhBackward,
                                             aclnnTanhBackward});

}  // namespace
