// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNLLLossBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/nll_loss_backward.h, not this file.
#include "aclnnop/aclnn_nll_loss_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/nll_loss_backward.h"

using namespace simulator;

namespace {

void CheckNLLLossBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                          const TensorParameter &target, const TensorParameter &weight,
                          int64_t reduction, const TensorParameter &totalWeight,
                          const TensorParameter &out) {
  RequireNotNull({gradOutput, self, target, weight, totalWeight, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({target}, {ACL_INT64, ACL_UINT8, ACL_INT32});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, weight, totalWeight, out}, self);
  RequirePublicFormat({gradOutput, self, target, weight, totalWeight, out});
  RequireRank({gradOutput, target}, 0, 1);
  RequireRank({self, out}, 1, 2);
  RequireRank({weight, totalWeight}, 1, 1);
  RequireSameShape({out}, self);
  RequireContiguous({totalWeight});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  RequireShape(target, Leading(self->shape, -(1)));
  RequireOneShape(
      gradOutput,
      (((reduction == 0) && (self->Rank() == 2)) && gradOutput->shape == Shape{Extent(self, 0)}) ||
          (((reduction != 0) || (self->Rank() != 2)) && gradOutput->shape == Shape{1}) ||
          (((reduction != 0) || (self->Rank() != 2)) && gradOutput->shape == Shape{}));
  RequireShape(weight, {Extent(self, -(1))});
  RequireShape(totalWeight, {1});
}

}  // namespace

aclnnStatus aclnnNLLLossBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                                 const aclTensor *target, const aclTensor *weight,
                                                 int64_t reduction, int64_t ignoreIndex,
                                                 const aclTensor *totalWeight, aclTensor *out,
                                                 uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  return PlanOperator("aclnnNLLLossBackward", workspaceSize, executor, [&] {
    CheckNLLLossBackward({"gradOutput", gradOutput}, {"self", self}, {"target", target},
                         {"weight", weight}, reduction, {"totalWeight", totalWeight}, {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, target = *target, weight = *weight,
                    totalWeight = *totalWeight, out = *out, reduction = reduction,
                    ignoreIndex = ignoreIndex](void *) {
                  NLLLossBackward(gradOutput, self, target, weight, totalWeight, out, reduction,
                                  ignoreIndex);
                }};
  });
}

aclnnStatus aclnnNLLLossBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnNLLLossBackward", workspace, workspaceSize, executor, stream);
}
