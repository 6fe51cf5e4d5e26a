// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAcosh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_acosh.h"

namespace {

aclnnStatus PlanAcosh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnAcoshGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kAcosh({"aclnnAcosh", PlanAcosh, aclnnAcosh});

}  // namespace
