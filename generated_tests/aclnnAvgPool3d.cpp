// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAvgPool3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_avgpool3d.h"

namespace {

aclnnStatus PlanAvgPool3d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnAvgPool3dGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("kernelSize"), arguments.IntArray("stride"),
      arguments.IntArray("padding"), arguments.Bool("ceilMode"), arguments.Bool("countIncludePad"),
      arguments.Int64("divisorOverride"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kAvgPool3d({"aclnnAvgPool3d", PlanAvgPool3d, aclnnAvgPool3d});

}  // namespace
