// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSilu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_silu.h"

namespace {

aclnnStatus PlanSilu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnSiluGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kSilu({"aclnnSilu", PlanSilu, aclnnSilu});

}  // namespace
