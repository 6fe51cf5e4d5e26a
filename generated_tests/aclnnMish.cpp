// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mish.h"

namespace {

aclnnStatus PlanMish(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnMishGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kMish({"aclnnMish", PlanMish, aclnnMish});

}  // namespace
