// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAtan.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_atan.h"

namespace {

aclnnStatus PlanAtan(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnAtanGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kAtan({"aclnnAtan", PlanAtan, aclnnAtan});

}  // namespace
