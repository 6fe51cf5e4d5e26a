// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNLLLossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_nll_loss_backward.h"

namespace {

aclnnStatus PlanNLLLossBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnNLLLossBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Tensor("weight"), arguments.Int64("reduction"), arguments.Int64("ignoreIndex"),
      arguments.Tensor("totalWeight"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kNLLLossBackward({"aclnnNLLLossBackward", PlanNLLLossBackward,
                                                aclnnNLLLossBackward});

}  // namespace
