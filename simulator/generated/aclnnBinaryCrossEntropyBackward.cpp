// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropyBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_binary_cross_entropy_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1>
Number BinaryCrossEntropyBackward(Number gradOutput, Number self, Number target,
                                  Number weightOptional, T0 reduction, T1 count) {
  const Number slope = (self - target) / (self * (Number(1.0) - self));
  return Number(reduction) == Number(1.0)
             ? gradOutput * weightOptional * slope * (Number(1.0) / Number(count))
             : gradOutput * weightOptional * slope;
}

void CheckBinaryCrossEntropyBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                                     const TensorParameter &target,
                                     const TensorParameter &weightOptional, int64_t reduction,
                                     const TensorParameter &out) {
  RequireNotNull({gradOutput, self, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, target, weightOptional, out},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOutput, self, target, weightOptional, out}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasInference);
  RequireDataType({gradOutput, self, target, weightOptional, out}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasTraining);
  RequirePublicFormat({gradOutput, self, target, weightOptional, out});
  RequireRank({gradOutput, self, target, weightOptional, out}, 0, 8);
  RequireSameShape({out}, self);
  RequireBroadcastTo(gradOutput, self);
  RequireBroadcastTo(target, self);
  RequireBroadcastTo(weightOptional, self);
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  Require((self->Rank() > 0) || (gradOutput->Rank() == 0),
          "beside a self without dimensions gradOutput has none either");
}

}  // namespace

aclnnStatus aclnnBinaryCrossEntropyBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *target,
    const aclTensor *weightOptional, int64_t reduction, aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnBinaryCrossEntropyBackward", workspaceSize, executor, [&] {
    CheckBinaryCrossEntropyBackward({"gradOutput", gradOutput}, {"self", self}, {"target", target},
                                    {"weightOptional", weightOptional}, reduction, {"out", out});
    const aclTensor weightOptionalAbsent = Filled(self->shape, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    return Work{0, [gradOutput = *gradOutput, self = *self, target = *target,
                    weightOptional = *weightOptional, out = *out, reduction = reduction,
                    count = ElementCount(self->shape)](void *) {
                  const auto kernel = [reduction, count](float gradOutputElement, float selfElement,
                                                         float targetElement,
                                                         float weightOptionalElement) {
                    return BinaryCrossEntropyBackward(gradOutputElement, selfElement, targetElement,
                                                      weightOptionalElement, reduction, count);
                  };
                  Map(out, kernel, BroadcastTo(gradOutput, out.shape), self,
                      BroadcastTo(target, out.shape), BroadcastTo(weightOptional, out.shape));
                }};
  });
}

aclnnStatus aclnnBinaryCrossEntropyBackward(void *workspace, uint64_t workspaceSize,
                                            aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnBinaryCrossEntropyBackward", workspace, workspaceSize, executor,
                        stream);
}
