// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormGatherStatsWithCounts.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_batch_norm_gather_stats_with_counts.h"

namespace {

aclnnStatus PlanBatchNormGatherStatsWithCounts(const aclnn_cts::Arguments &arguments,
                                               uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(
      arguments.Tensor("input"), arguments.Tensor("mean"), arguments.Tensor("invstd"),
      arguments.Tensor("runningMean"), arguments.Tensor("runningVar"), arguments.Double("momentum"),
      arguments.Double("eps"), arguments.Tensor("counts"), arguments.Tensor("meanAll"),
      arguments.Tensor("invstdAll"), workspaceSize, executor);
}

const aclnn_cts::Registration kBatchNormGatherStatsWithCounts(
    {"aclnnBatchNormGatherStatsWithCounts", PlanBatchNormGatherStatsWithCounts,
     aclnnBatchNormGatherStatsWithCounts});

}  // namespace
