// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gelu.h"

namespace {

aclnnStatus PlanGelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnGeluGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kGelu({"aclnnGelu", PlanGelu, aclnnGelu});

}  // namespace
