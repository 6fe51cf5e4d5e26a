// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaptiveAvgPool2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_adaptive_avg_pool2d.h"

namespace {

aclnnStatus PlanAdaptiveAvgPool2d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnAdaptiveAvgPool2dGetWorkspaceSize(arguments.Tensor("self"),
                                                arguments.IntArray("outputSize"),
                                                arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaptiveAvgPool2d({"aclnnAdaptiveAvgPool2d", PlanAdaptiveAvgPool2d,
                                                  aclnnAdaptiveAvgPool2d});

}  // namespace
