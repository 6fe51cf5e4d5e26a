// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCtcLossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ctc_loss_backward.h"

namespace {

aclnnStatus PlanCtcLossBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnCtcLossBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("logProbs"), arguments.Tensor("targets"),
      arguments.IntArray("inputLengths"), arguments.IntArray("targetLengths"),
      arguments.Tensor("negLogLikelihood"), arguments.Tensor("logAlpha"), arguments.Int64("blank"),
      arguments.Bool("zeroInfinity"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kCtcLossBackward({"aclnnCtcLossBackward", PlanCtcLossBackward,
                                                aclnnCtcLossBackward});

}  // namespace
