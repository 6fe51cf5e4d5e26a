// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardswish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardswish.h"

namespace {

aclnnStatus PlanHardswish(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnHardswishGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                        workspaceSize, executor);
}

const aclnn_cts::Registration kHardswish({"aclnnHardswish", PlanHardswish, aclnnHardswish});

}  // namespace
