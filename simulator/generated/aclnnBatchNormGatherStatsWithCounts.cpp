// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormGatherStatsWithCounts.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_batch_norm_gather_stats_with_counts.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBatchNormGatherStatsWithCounts(const TensorParameter &input, const TensorParameter &mean,
                                         const TensorParameter &invstd,
                                         const TensorParameter &runningMean,
                                         const TensorParameter &runningVar,
                                         const TensorParameter &counts,
                                         const TensorParameter &meanAll,
                                         const TensorParameter &invstdAll) {
  RequireNotNull({input, mean, invstd, runningMean, runningVar, counts, meanAll, invstdAll});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({mean, invstd, runningMean, runningVar, counts, meanAll, invstdAll}, input);
  RequirePublicFormat({input, mean, invstd, runningMean, runningVar, counts, meanAll, invstdAll});
  RequireRank({input}, 2, 8);
  RequireRank({mean, invstd}, 2, 2);
  RequireRank({runningMean, runningVar, counts, meanAll, invstdAll}, 1, 1);
  RequireSameShape({invstd}, mean);
  RequireShape(mean, {Extent(counts, 0), Extent(input, 1)});
  RequireShape(runningMean, {Extent(input, 1)});
  RequireShape(runningVar, {Extent(input, 1)});
  RequireShape(meanAll, {Extent(input, 1)});
  RequireShape(invstdAll, {Extent(input, 1)});
}

}  // namespace

aclnnStatus aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(
    const aclTensor *input, const aclTensor *mean, const aclTensor *invstd, aclTensor *runningMean,
    aclTensor *runningVar, double momentum, double eps, const aclTensor *counts, aclTensor *meanAll,
    aclTensor *invstdAll, uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(momentum);
  static_cast<void>(eps);
  return PlanOperator("aclnnBatchNormGatherStatsWithCounts", workspaceSize, executor, [&] {
    CheckBatchNormGatherStatsWithCounts({"input", input}, {"mean", mean}, {"invstd", invstd},
                                        {"runningMean", runningMean}, {"runningVar", runningVar},
                                        {"counts", counts}, {"meanAll", meanAll},
                                        {"invstdAll", invstdAll});
    return Work{0, [input = *input, mean = *mean, invstd = *invstd, runningMean = *runningMean,
                    runningVar = *runningVar, counts = *counts, meanAll = *meanAll,
                    invstdAll = *invstdAll](void *) {
                  StandIn({runningMean, runningVar, meanAll, invstdAll},
                          {input, mean, invstd, runningMean, runningVar, counts});
                }};
  });
}

aclnnStatus aclnnBatchNormGatherStatsWithCounts(void *workspace, uint64_t workspaceSize,
                                                aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnBatchNormGatherStatsWithCounts", workspace, workspaceSize, executor,
                        stream);
}
