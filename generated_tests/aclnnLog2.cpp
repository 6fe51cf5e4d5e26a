// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLog2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log2.h"

namespace {

aclnnStatus PlanLog2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnLog2GetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kLog2({"aclnnLog2", PlanLog2, aclnnLog2});

}  // namespace
