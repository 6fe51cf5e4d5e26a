// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardswishBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardswish_backward.h"

namespace {

aclnnStatus PlanHardswishBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnHardswishBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"),
                                                arguments.Tensor("self"), arguments.Tensor("out"),
                                                workspaceSize, executor);
}

const aclnn_cts::Registration kHardswishBackward({"aclnnHardswishBackward", PlanHardswishBackward,
                                                  aclnnHardswishBackward});

}  // namespace
