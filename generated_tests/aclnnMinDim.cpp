// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMinDim.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_min_dim.h"

namespace {

aclnnStatus PlanMinDim(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnMinDimGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                     arguments.Bool("keepdim"), arguments.Tensor("out"),
                                     arguments.Tensor("indices"), workspaceSize, executor);
}

const aclnn_cts::Registration kMinDim({"aclnnMinDim", PlanMinDim, aclnnMinDim});

}  // namespace
