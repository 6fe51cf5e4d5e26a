// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnThresholdBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_threshold_backward.h"

namespace {

aclnnStatus PlanThresholdBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnThresholdBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Scalar("threshold"),
      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kThresholdBackward({"aclnnThresholdBackward", PlanThresholdBackward,
                                                  aclnnThresholdBackward});

}  // namespace
