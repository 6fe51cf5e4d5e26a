// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLeakyReluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"

namespace {

aclnnStatus PlanLeakyReluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnLeakyReluBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Scalar("negativeSlope"),
      arguments.Bool("selfIsResult"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLeakyReluBackward({"aclnnLeakyReluBackward", PlanLeakyReluBackward,
                                                  aclnnLeakyReluBackward});

}  // namespace
