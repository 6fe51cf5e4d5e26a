// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormElemt.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_batch_norm_elemt.h"

namespace {

aclnnStatus PlanBatchNormElemt(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnBatchNormElemtGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("weight"),
                                             arguments.Tensor("bias"), arguments.Tensor("mean"),
                                             arguments.Tensor("invstd"), arguments.Double("eps"),
                                             arguments.Tensor("output"), workspaceSize, executor);
}

const aclnn_cts::Registration kBatchNormElemt({"aclnnBatchNormElemt", PlanBatchNormElemt,
                                               aclnnBatchNormElemt});

}  // namespace
