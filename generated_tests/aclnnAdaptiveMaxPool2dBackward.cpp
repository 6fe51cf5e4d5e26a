// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveMaxPool2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_adaptive_max_pool2d_backward.h"

namespace {

aclnnStatus PlanAdaptiveMaxPool2dBackward(const aclnn_cts::Arguments &arguments,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("indices"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaptiveMaxPool2dBackward({"aclnnAdaptiveMaxPool2dBackward",
                                                          PlanAdaptiveMaxPool2dBackward,
                                                          aclnnAdaptiveMaxPool2dBackward});

}  // namespace
