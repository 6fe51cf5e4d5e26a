// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAmin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_amin.h"

namespace {

aclnnStatus PlanAmin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnAminGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                   arguments.Bool("keepDim"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kAmin({"aclnnAmin", PlanAmin, aclnnAmin});

}  // namespace
