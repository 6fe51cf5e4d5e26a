// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropy.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_binary_cross_entropy.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/sums.h"

using namespace simulator;

namespace {

template <typename Number>
Number BinaryCrossEntropy(Number self, Number target, Number weight) {
  const Number loss =
      (target * std::log(self) + (Number(1.0) - target) * std::log(Number(1.0) - self)) * -weight;
  return loss;
}

void CheckBinaryCrossEntropy(const TensorParameter &self, const TensorParameter &target,
                             const TensorParameter &weight, int64_t reduction,
                             const TensorParameter &out) {
  RequireNotNull({self, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({target, weight, out}, self);
  RequirePublicFormat({self, target, weight, out});
  RequireRank({self, target, weight, out}, 1, 8);
  RequireSameShape({target, weight}, self);
  RequireShape(out, reduction == 0 ? BroadcastShape({self, target}) : Shape{1});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
}

}  // namespace

aclnnStatus aclnnBinaryCrossEntropyGetWorkspaceSize(const aclTensor *self, const aclTensor *target,
                                                    const aclTensor *weight, int64_t reduction,
                                                    aclTensor *out, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor) {
  return PlanOperator("aclnnBinaryCrossEntropy", workspaceSize, executor, [&] {
    CheckBinaryCrossEntropy({"self", self}, {"target", target}, {"weight", weight}, reduction,
                            {"out", out});
    const aclTensor weightAbsent = Filled(self->shape, 1.0F);
    if (weight == nullptr) weight = &weightAbsent;
    return Work{0, [self = *self, target = *target, weight = *weight, out = *out,
                    reduction = reduction](void *) {
                  const auto kernel = [](float selfElement, float targetElement,
                                         float weightElement) {
                    return BinaryCrossEntropy(selfElement, targetElement, weightElement);
                  };
                  const std::vector<float> losses = Mapped(kernel, self, target, weight);
                  if (reduction == 0) return WriteAll(out, losses);
                  const float sum = PairwiseSum(losses.data(), static_cast<int64_t>(losses.size()));
                  WriteAll(out, {reduction == 1 ? sum / static_cast<float>(losses.size()) : sum});
                }};
  });
}

aclnnStatus aclnnBinaryCrossEntropy(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnBinaryCrossEntropy", workspace, workspaceSize, executor, stream);
}
