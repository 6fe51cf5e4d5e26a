// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropyWithLogits.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/sums.h"

using namespace simulator;

namespace {

template <typename Number>
Number BinaryCrossEntropyWithLogits(Number self, Number target, Number weightOptional,
                                    Number posWeightOptional) {
  const Number rest = Number(1.0) - target;
  const Number curve = std::log(Number(1.0) + std::exp(-std::abs(self)));
  const Number log_s = (self < Number(0.0) || std::isnan(self) ? self : Number(0.0)) - curve;
  const Number log_rest =
      ((-self) < Number(0.0) || std::isnan((-self)) ? (-self) : Number(0.0)) - curve;
  const Number apart = posWeightOptional * target * log_s + rest * log_rest;
  const Number loss = apart * -weightOptional;
  return loss;
}

void CheckBinaryCrossEntropyWithLogits(const TensorParameter &self, const TensorParameter &target,
                                       const TensorParameter &weightOptional,
                                       const TensorParameter &posWeightOptional, int64_t reduction,
                                       const TensorParameter &out) {
  RequireNotNull({self, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({target, weightOptional, posWeightOptional}, self);
  RequireSameDataType({out}, target);
  RequirePublicFormat({self, target, weightOptional, posWeightOptional, out});
  RequireRank({self, target, weightOptional, posWeightOptional, out}, 1, 8);
  RequireSameShape({target}, self);
  RequireBroadcastTo(weightOptional, target);
  RequireBroadcastTo(posWeightOptional, target);
  RequireShape(out, reduction == 0
                        ? BroadcastShape({self, target, weightOptional, posWeightOptional})
                        : Shape{1});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
}

}  // namespace

aclnnStatus aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(
    const aclTensor *self, const aclTensor *target, const aclTensor *weightOptional,
    const aclTensor *posWeightOptional, int64_t reduction, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnBinaryCrossEntropyWithLogits", workspaceSize, executor, [&] {
    CheckBinaryCrossEntropyWithLogits(
        {"self", self}, {"target", target}, {"weightOptional", weightOptional},
        {"posWeightOptional", posWeightOptional}, reduction, {"out", out});
    const aclTensor weightOptionalAbsent = Filled(target->shape, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor posWeightOptionalAbsent = Filled(target->shape, 1.0F);
    if (posWeightOptional == nullptr) posWeightOptional = &posWeightOptionalAbsent;
    return Work{
        0, [self = *self, target = *target, weightOptional = *weightOptional,
            posWeightOptional = *posWeightOptional, out = *out, reduction = reduction,
            shape = BroadcastShape({{"self", self},
                                    {"target", target},
                                    {"weightOptional", weightOptional},
                                    {"posWeightOptional", posWeightOptional}})](void *) {
          const auto kernel = [](float selfElement, float targetElement,
                                 float weightOptionalElement, float posWeightOptionalElement) {
            return BinaryCrossEntropyWithLogits(selfElement, targetElement, weightOptionalElement,
                                                posWeightOptionalElement);
          };
          const std::vector<float> losses =
              Mapped(kernel, self, target, BroadcastTo(weightOptional, shape),
                     BroadcastTo(posWeightOptional, shape));
          if (reduction == 0) return WriteAll(out, losses);
          const float sum = PairwiseSum(losses.data(), static_cast<int64_t>(losses.size()));
          WriteAll(out, {reduction == 1 ? sum / static_cast<float>(losses.size()) : sum});
        }};
  });
}

aclnnStatus aclnnBinaryCrossEntropyWithLogits(void *workspace, uint64_t workspaceSize,
                                              aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnBinaryCrossEntropyWithLogits", workspace, workspaceSize, executor,
                        stream);
}
