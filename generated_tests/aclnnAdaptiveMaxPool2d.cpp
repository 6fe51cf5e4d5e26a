// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveMaxPool2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_adaptive_max_pool2d.h"

namespace {

aclnnStatus PlanAdaptiveMaxPool2d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnAdaptiveMaxPool2dGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("outputSize"), arguments.Tensor("outputOut"),
      arguments.Tensor("indicesOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaptiveMaxPool2d({"aclnnAdaptiveMaxPool2d", PlanAdaptiveMaxPool2d,
                                                  aclnnAdaptiveMaxPool2d});

}  // namespace
