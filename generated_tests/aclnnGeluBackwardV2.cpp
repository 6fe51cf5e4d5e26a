// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluBackwardV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"

namespace {

aclnnStatus PlanGeluBackwardV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnGeluBackwardV2GetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.String("approximate"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeluBackwardV2({"aclnnGeluBackwardV2", PlanGeluBackwardV2,
                                               aclnnGeluBackwardV2});

}  // namespace
