// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnQuantizedBatchNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_quantized_batch_norm.h"

namespace {

aclnnStatus PlanQuantizedBatchNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnQuantizedBatchNormGetWorkspaceSize(
      arguments.Tensor("input"), arguments.Tensor("mean"), arguments.Tensor("var"),
      arguments.Scalar("inputScale"), arguments.Scalar("inputZeroPoint"),
      arguments.Scalar("outputScale"), arguments.Scalar("outputZeroPoint"),
      arguments.Tensor("weight"), arguments.Tensor("bias"), arguments.Float("epsilon"),
      arguments.Tensor("output"), workspaceSize, executor);
}

const aclnn_cts::Registration kQuantizedBatchNorm({"aclnnQuantizedBatchNorm",
                                                   PlanQuantizedBatchNorm,
                                                   aclnnQuantizedBatchNorm});

}  // namespace
