// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAmpUpdateScale.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_amp_update_scale.h"

namespace {

aclnnStatus PlanAmpUpdateScale(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnAmpUpdateScaleGetWorkspaceSize(
      arguments.Tensor("currentScale"), arguments.Tensor("growthTracker"),
      arguments.Tensor("foundInf"), arguments.Double("growthFactor"),
      arguments.Double("backoffFactor"), arguments.Int64("growthInterval"),
      arguments.Tensor("updatedScale"), arguments.Tensor("updatedGrowthTracker"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kAmpUpdateScale({"aclnnAmpUpdateScale", PlanAmpUpdateScale,
                                               aclnnAmpUpdateScale});

}  // namespace
