// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormStats.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_batch_norm_stats.h"

namespace {

aclnnStatus PlanBatchNormStats(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnBatchNormStatsGetWorkspaceSize(arguments.Tensor("input"), arguments.Double("eps"),
                                             arguments.Tensor("mean"), arguments.Tensor("invstd"),
                                             workspaceSize, executor);
}

const aclnn_cts::Registration kBatchNormStats({"aclnnBatchNormStats", PlanBatchNormStats,
                                               aclnnBatchNormStats});

}  // namespace
