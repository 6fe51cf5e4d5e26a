// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMishBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mish_backward.h"

namespace {

aclnnStatus PlanMishBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnMishBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"), arguments.Tensor("self"),
                                           arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kMishBackward({"aclnnMishBackward", PlanMishBackward,
                                             aclnnMishBackward});

}  // namespace
