// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCeil.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ceil.h"

namespace {

aclnnStatus PlanCeil(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnCeilGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kCeil({"aclnnCeil", PlanCeil, aclnnCeil});

}  // namespace
