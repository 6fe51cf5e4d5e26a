// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveAvgPool3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_adaptive_avg_pool3d.h"

namespace {

aclnnStatus PlanAdaptiveAvgPool3d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnAdaptiveAvgPool3dGetWorkspaceSize(arguments.Tensor("self"),
                                                arguments.IntArray("outputSize"),
                                                arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaptiveAvgPool3d({"aclnnAdaptiveAvgPool3d", PlanAdaptiveAvgPool3d,
                                                  aclnnAdaptiveAvgPool3d});

}  // namespace
