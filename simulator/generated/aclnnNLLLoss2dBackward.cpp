// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNLLLoss2dBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_nll_loss2d_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckNLLLoss2dBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                            const TensorParameter &target, const TensorParameter &weight,
                            int64_t reduction, const TensorParameter &totalWeight,
                            const TensorParameter &out) {
  RequireNotNull({gradOutput, self, target, weight, totalWeight, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({target}, {ACL_INT64, ACL_UINT8, ACL_INT32});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, weight, out}, self);
  RequireSameDataType({totalWeight}, weight);
  RequirePublicFormat({gradOutput, self, target, weight, totalWeight, out});
  RequireRank({gradOutput}, 1, 3);
  RequireRank({self, out}, 4, 4);
  RequireRank({target}, 3, 3);
  RequireRank({weight, totalWeight}, 1, 1);
  RequireSameShape({out}, self);
  RequireContiguous({totalWeight});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  RequireOneShape(gradOutput,
                  ((reduction == 0) &&
                   gradOutput->shape == Shape{Extent(self, 0), Extent(self, 2), Extent(self, 3)}) ||
                      ((reduction != 0) && gradOutput->shape == Shape{1}));
  RequireShape(target, {Extent(self, 0), Extent(self, 2), Extent(self, 3)});
  RequireShape(weight, {Extent(self, 1)});
  RequireShape(totalWeight, {1});
}

}  // namespace

aclnnStatus aclnnNLLLoss2dBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                   const aclTensor *self, const aclTensor *target,
                                                   const aclTensor *weight, int64_t reduction,
                                                   int64_t ignoreIndex, aclTensor *totalWeight,
                                                   aclTensor *out, uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  static_cast<void>(ignoreIndex);
  return PlanOperator("aclnnNLLLoss2dBackward", workspaceSize, executor, [&] {
    CheckNLLLoss2dBackward({"gradOutput", gradOutput}, {"self", self}, {"target", target},
                           {"weight", weight}, reduction, {"totalWeight", totalWeight},
                           {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, target = *target, weight = *weight,
                    totalWeight = *totalWeight, out = *out](void *) {
                  StandIn({out}, {gradOutput, self, target, weight, totalWeight});
                }};
  });
}

aclnnStatus aclnnNLLLoss2dBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnNLLLoss2dBackward", workspace, workspaceSize, executor, stream);
}
