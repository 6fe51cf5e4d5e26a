// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveAvgPool3dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_adaptive_avg_pool3d_backward.h"

namespace {

aclnnStatus PlanAdaptiveAvgPool3dBackward(const aclnn_cts::Arguments &arguments,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kAdaptiveAvgPool3dBackward({"aclnnAdaptiveAvgPool3dBackward",
                                                          PlanAdaptiveAvgPool3dBackward,
                                                          aclnnAdaptiveAvgPool3dBackward});

}  // namespace
