// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSyncBatchNormGatherStats.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_sync_batch_norm_gather_stats.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckSyncBatchNormGatherStats(const TensorParameter &totalSum,
                                   const TensorParameter &totalSquareSum,
                                   const TensorParameter &sampleCount, const TensorParameter &mean,
                                   const TensorParameter &variance,
                                   const TensorParameter &batchMean,
                                   const TensorParameter &batchInvstd) {
  RequireNotNull({totalSum, totalSquareSum, sampleCount, mean, variance, batchMean, batchInvstd});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({totalSum}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({sampleCount}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32});
  RequireDataType({totalSum}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasA3);
  RequireDataType({totalSum}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasA2);
  RequireSameDataType({totalSquareSum, mean, variance, batchMean}, totalSum);
  RequireSameDataType({batchInvstd}, batchMean);
  RequirePublicFormat(
      {totalSum, totalSquareSum, sampleCount, mean, variance, batchMean, batchInvstd});
  RequireRank({totalSum, totalSquareSum}, 2, 2);
  RequireRank({sampleCount, mean, variance, batchMean, batchInvstd}, 1, 1);
  RequireSameShape({totalSquareSum}, totalSum);
  Require(Extent(totalSum, 0) > 0, "totalSum has rows");
  Require(Extent(totalSum, 1) > 0, "batchMean has elements");
  RequireShape(sampleCount, {Extent(totalSum, 0)});
  RequireShape(mean, {Extent(totalSum, 1)});
  RequireShape(variance, {Extent(totalSum, 1)});
  RequireShape(batchMean, {Extent(totalSum, 1)});
  RequireShape(batchInvstd, {Extent(totalSum, 1)});
}

}  // namespace

aclnnStatus aclnnSyncBatchNormGatherStatsGetWorkspaceSize(
    const aclTensor *totalSum, const aclTensor *totalSquareSum, const aclTensor *sampleCount,
    aclTensor *mean, aclTensor *variance, float momentum, float eps, aclTensor *batchMean,
    aclTensor *batchInvstd, uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(momentum);
  static_cast<void>(eps);
  return PlanOperator("aclnnSyncBatchNormGatherStats", workspaceSize, executor, [&] {
    CheckSyncBatchNormGatherStats({"totalSum", totalSum}, {"totalSquareSum", totalSquareSum},
                                  {"sampleCount", sampleCount}, {"mean", mean},
                                  {"variance", variance}, {"batchMean", batchMean},
                                  {"batchInvstd", batchInvstd});
    return Work{0, [totalSum = *totalSum, totalSquareSum = *totalSquareSum,
                    sampleCount = *sampleCount, mean = *mean, variance = *variance,
                    batchMean = *batchMean, batchInvstd = *batchInvstd](void *) {
                  StandIn({mean, variance, batchMean, batchInvstd},
                          {totalSum, totalSquareSum, sampleCount, mean, variance});
                }};
  });
}

aclnnStatus aclnnSyncBatchNormGatherStats(void *workspace, uint64_t workspaceSize,
                                          aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnSyncBatchNormGatherStats", workspace, workspaceSize, executor,
                        stream);
}
