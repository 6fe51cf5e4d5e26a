// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNLLLoss2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_nll_loss2d.h"

namespace {

aclnnStatus PlanNLLLoss2d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnNLLLoss2dGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("target"), arguments.Tensor("weight"),
      arguments.Int64("reduction"), arguments.Int64("ignoreIndex"), arguments.Tensor("out"),
      arguments.Tensor("totalWeightOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kNLLLoss2d({"aclnnNLLLoss2d", PlanNLLLoss2d, aclnnNLLLoss2d});

}  // namespace
