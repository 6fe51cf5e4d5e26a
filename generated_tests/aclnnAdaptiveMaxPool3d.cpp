// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveMaxPool3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_adaptive_max_pool3d.h"

namespace {

aclnnStatus PlanAdaptiveMaxPool3d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnAdaptiveMaxPool3dGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("outputSize"), arguments.Tensor("outputOut"),
      arguments.Tensor("indicesOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaptiveMaxPool3d({"aclnnAdaptiveMaxPool3d", PlanAdaptiveMaxPool3d,
                                                  aclnnAdaptiveMaxPool3d});

}  // namespace
