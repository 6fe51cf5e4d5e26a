// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardswishBackwardV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardswish_backward_v2.h"

namespace {

aclnnStatus PlanHardswishBackwardV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnHardswishBackwardV2GetWorkspaceSize(arguments.Tensor("gradOutput"),
                                                  arguments.Tensor("self"), arguments.Tensor("out"),
                                                  workspaceSize, executor);
}

const aclnn_cts::Registration kHardswishBackwardV2({"aclnnHardswishBackwardV2",
                                                    PlanHardswishBackwardV2,
                                                    aclnnHardswishBackwardV2});

}  // namespace
