// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_batch_norm.h"

namespace {

aclnnStatus PlanBatchNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnBatchNormGetWorkspaceSize(
      arguments.Tensor("input"), arguments.Tensor("weight"), arguments.Tensor("bias"),
      arguments.Tensor("runningMean"), arguments.Tensor("runningVar"), arguments.Bool("training"),
      arguments.Double("momentum"), arguments.Double("eps"), arguments.Tensor("output"),
      arguments.Tensor("saveMean"), arguments.Tensor("saveInvstd"), workspaceSize, executor);
}

const aclnn_cts::Registration kBatchNorm({"aclnnBatchNorm", PlanBatchNorm, aclnnBatchNorm});

}  // namespace
