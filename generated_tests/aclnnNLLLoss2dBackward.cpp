// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNLLLoss2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_nll_loss2d_backward.h"

namespace {

aclnnStatus PlanNLLLoss2dBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnNLLLoss2dBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Tensor("weight"), arguments.Int64("reduction"), arguments.Int64("ignoreIndex"),
      arguments.Tensor("totalWeight"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kNLLLoss2dBackward({"aclnnNLLLoss2dBackward", PlanNLLLoss2dBackward,
                                                  aclnnNLLLoss2dBackward});

}  // namespace
