// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormReduceBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_batch_norm_backward_reduce.h"

namespace {

aclnnStatus PlanBatchNormReduceBackward(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnBatchNormReduceBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("input"), arguments.Tensor("mean"),
      arguments.Tensor("invstd"), arguments.Tensor("weight"), arguments.Bool("inputG"),
      arguments.Bool("weightG"), arguments.Bool("biasG"), arguments.Tensor("sumDy"),
      arguments.Tensor("sumDyXmu"), arguments.Tensor("gradWeight"), arguments.Tensor("gradBias"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kBatchNormReduceBackward({"aclnnBatchNormReduceBackward",
                                                        PlanBatchNormReduceBackward,
                                                        aclnnBatchNormReduceBackward});

}  // namespace
