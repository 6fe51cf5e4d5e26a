// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveAvgPool2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_adaptive_avg_pool2d_backward.h"

namespace {

aclnnStatus PlanAdaptiveAvgPool2dBackward(const aclnn_cts::Arguments &arguments,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kAdaptiveAvgPool2dBackward({"aclnnAdaptiveAvgPool2dBackward",
                                                          PlanAdaptiveAvgPool2dBackward,
                                                          aclnnAdaptiveAvgPool2dBackward});

}  // namespace
