// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveMaxPool3dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"

namespace {

aclnnStatus PlanAdaptiveMaxPool3dBackward(const aclnn_cts::Arguments &arguments,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("indices"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaptiveMaxPool3dBackward({"aclnnAdaptiveMaxPool3dBackward",
                                                          PlanAdaptiveMaxPool3dBackward,
                                                          aclnnAdaptiveMaxPool3dBackward});

}  // namespace
