// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormReduce.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_batch_norm_reduce.h"

namespace {

aclnnStatus PlanBatchNormReduce(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnBatchNormReduceGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("sum"),
                                              arguments.Tensor("squareSum"), workspaceSize,
                                              executor);
}

const aclnn_cts::Registration kBatchNormReduce({"aclnnBatchNormReduce", PlanBatchNormReduce,
                                                aclnnBatchNormReduce});

}  // namespace
