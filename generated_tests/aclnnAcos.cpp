// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAcos.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_acos.h"

namespace {

aclnnStatus PlanAcos(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnAcosGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kAcos({"aclnnAcos", PlanAcos, aclnnAcos});

}  // namespace
