// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNLLLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_nll_loss.h"

namespace {

aclnnStatus PlanNLLLoss(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnNLLLossGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("target"),
                                      arguments.Tensor("weight"), arguments.Int64("reduction"),
                                      arguments.Int64("ignoreIndex"), arguments.Tensor("out"),
                                      arguments.Tensor("totalWeightOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kNLLLoss({"aclnnNLLLoss", PlanNLLLoss, aclnnNLLLoss});

}  // namespace
