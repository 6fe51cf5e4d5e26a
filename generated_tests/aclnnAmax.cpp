// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAmax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_amax.h"

namespace {

aclnnStatus PlanAmax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnAmaxGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                   arguments.Bool("keepDim"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kAmax({"aclnnAmax", PlanAmax, aclnnAmax});

}  // namespace
