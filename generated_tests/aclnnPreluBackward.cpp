// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPreluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_prelu_backward.h"

namespace {

aclnnStatus PlanPreluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnPreluBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("weight"),
      arguments.Tensor("gradInput"), arguments.Tensor("gradWeight"), workspaceSize, executor);
}

const aclnn_cts::Registration kPreluBackward({"aclnnPreluBackward", PlanPreluBackward,
                                              aclnnPreluBackward});

}  // namespace
