// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnExp2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_exp2.h"

namespace {

aclnnStatus PlanExp2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnExp2GetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kExp2({"aclnnExp2", PlanExp2, aclnnExp2});

}  // namespace
