// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_elu_backward.h"

namespace {

aclnnStatus PlanEluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnEluBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Scalar("alpha"), arguments.Scalar("scale"),
      arguments.Scalar("inputScale"), arguments.Bool("isResult"), arguments.Tensor("selfOrResult"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kEluBackward({"aclnnEluBackward", PlanEluBackward, aclnnEluBackward});

}  // namespace
