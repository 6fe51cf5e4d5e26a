// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnExpSegsumBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_exp_segsum_backward.h"

namespace {

aclnnStatus PlanExpSegsumBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnExpSegsumBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("gradSelf"), arguments.Tensor("gradInput"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kExpSegsumBackward({"aclnnExpSegsumBackward", PlanExpSegsumBackward,
                                                  aclnnExpSegsumBackward});

}  // namespace
