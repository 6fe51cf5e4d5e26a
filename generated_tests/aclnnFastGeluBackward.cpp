// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFastGeluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fast_gelu_backward.h"

namespace {

aclnnStatus PlanFastGeluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnFastGeluBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("gradInput"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kFastGeluBackward({"aclnnFastGeluBackward", PlanFastGeluBackward,
                                                 aclnnFastGeluBackward});

}  // namespace
