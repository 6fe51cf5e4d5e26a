// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNanMedianDim.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_median.h"

namespace {

aclnnStatus PlanNanMedianDim(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnNanMedianDimGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                           arguments.Bool("keepDim"), arguments.Tensor("valuesOut"),
                                           arguments.Tensor("indicesOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kNanMedianDim({"aclnnNanMedianDim", PlanNanMedianDim,
                                             aclnnNanMedianDim});

}  // namespace
