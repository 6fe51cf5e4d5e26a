// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAminmaxDim.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_aminmax_dim.h"

namespace {

aclnnStatus PlanAminmaxDim(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnAminmaxDimGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                         arguments.Bool("keepDim"), arguments.Tensor("minOut"),
                                         arguments.Tensor("maxOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAminmaxDim({"aclnnAminmaxDim", PlanAminmaxDim, aclnnAminmaxDim});

}  // namespace
