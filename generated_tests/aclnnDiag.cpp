// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDiag.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_diag.h"

namespace {

aclnnStatus PlanDiag(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnDiagGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("diagonal"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kDiag({"aclnnDiag", PlanDiag, aclnnDiag});

}  // namespace
