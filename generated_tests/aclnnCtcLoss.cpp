// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCtcLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ctc_loss.h"

namespace {

aclnnStatus PlanCtcLoss(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnCtcLossGetWorkspaceSize(
      arguments.Tensor("logProbs"), arguments.Tensor("targets"), arguments.IntArray("inputLengths"),
      arguments.IntArray("targetLengths"), arguments.Int64("blank"), arguments.Bool("zeroInfinity"),
      arguments.Tensor("negLogLikelihoodOut"), arguments.Tensor("logAlphaOut"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kCtcLoss({"aclnnCtcLoss", PlanCtcLoss, aclnnCtcLoss});

}  // namespace
