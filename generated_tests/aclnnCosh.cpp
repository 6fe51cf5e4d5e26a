// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCosh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cosh.h"

namespace {

aclnnStatus PlanCosh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnCoshGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kCosh({"aclnnCosh", PlanCosh, aclnnCosh});

}  // namespace
