// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAvgPool2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_avgpool2d.h"

namespace {

aclnnStatus PlanAvgPool2d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnAvgPool2dGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("kernelSize"), arguments.IntArray("strides"),
      arguments.IntArray("paddings"), arguments.Bool("ceilMode"), arguments.Bool("countIncludePad"),
      arguments.Int64("divisorOverride"), arguments.Int8("cubeMathType"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kAvgPool2d({"aclnnAvgPool2d", PlanAvgPool2d, aclnnAvgPool2d});

}  // namespace
