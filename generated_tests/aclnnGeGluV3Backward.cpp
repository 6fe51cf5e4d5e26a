// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeGluV3Backward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_geglu_backward.h"

namespace {

aclnnStatus PlanGeGluV3Backward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnGeGluV3BackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("gelu"),
      arguments.Int64("dim"), arguments.Int64("approximate"), arguments.Bool("activateLeft"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeGluV3Backward({"aclnnGeGluV3Backward", PlanGeGluV3Backward,
                                                aclnnGeGluV3Backward});

}  // namespace
