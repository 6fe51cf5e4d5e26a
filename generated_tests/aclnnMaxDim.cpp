// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaxDim.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_max_dim.h"

namespace {

aclnnStatus PlanMaxDim(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnMaxDimGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                     arguments.Bool("keepdim"), arguments.Tensor("out"),
                                     arguments.Tensor("indices"), workspaceSize, executor);
}

const aclnn_cts::Registration kMaxDim({"aclnnMaxDim", PlanMaxDim, aclnnMaxDim});

}  // namespace
