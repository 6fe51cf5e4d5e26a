// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMedianDim.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_median.h"

namespace {

aclnnStatus PlanMedianDim(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnMedianDimGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                        arguments.Bool("keepDim"), arguments.Tensor("valuesOut"),
                                        arguments.Tensor("indicesOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kMedianDim({"aclnnMedianDim", PlanMedianDim, aclnnMedianDim});

}  // namespace
