// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMseLossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mse_loss_backward.h"

namespace {

aclnnStatus PlanMseLossBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnMseLossBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Int64("reduction"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMseLossBackward({"aclnnMseLossBackward", PlanMseLossBackward,
                                                aclnnMseLossBackward});

}  // namespace
