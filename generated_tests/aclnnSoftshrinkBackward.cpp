// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftshrinkBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_softshrink_backward.h"

namespace {

aclnnStatus PlanSoftshrinkBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnSoftshrinkBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Scalar("lambda"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kSoftshrinkBackward({"aclnnSoftshrinkBackward",
                                                   PlanSoftshrinkBackward,
                                                   aclnnSoftshrinkBackward});

}  // namespace
