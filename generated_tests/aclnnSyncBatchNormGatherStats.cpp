// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSyncBatchNormGatherStats.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sync_batch_norm_gather_stats.h"

namespace {

aclnnStatus PlanSyncBatchNormGatherStats(const aclnn_cts::Arguments &arguments,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnSyncBatchNormGatherStatsGetWorkspaceSize(
      arguments.Tensor("totalSum"), arguments.Tensor("totalSquareSum"),
      arguments.Tensor("sampleCount"), arguments.Tensor("mean"), arguments.Tensor("variance"),
      arguments.Float("momentum"), arguments.Float("eps"), arguments.Tensor("batchMean"),
      arguments.Tensor("batchInvstd"), workspaceSize, executor);
}

const aclnn_cts::Registration kSyncBatchNormGatherStats({"aclnnSyncBatchNormGatherStats",
                                                         PlanSyncBatchNormGatherStats,
                                                         aclnnSyncBatchNormGatherStats});

}  // namespace
