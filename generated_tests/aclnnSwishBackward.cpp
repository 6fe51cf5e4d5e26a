// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwishBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_swish_backward.h"

namespace {

aclnnStatus PlanSwishBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnSwishBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Scalar("betaOptional"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kSwishBackward({"aclnnSwishBackward", PlanSwishBackward,
                                              aclnnSwishBackward});

}  // namespace
