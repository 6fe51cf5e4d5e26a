// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSmoothL1LossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_smooth_l1_loss_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1, typename T2, typename T3>
Number SmoothL1LossBackward(Number gradOut, Number self, Number target, T0 reduction, T1 beta,
                            T2 count, T3) {
  const Number bound = Number(beta);
  const Number difference = self - target;
  const Number slope =
      std::abs(difference) < Number(2.0) * bound
          ? (((difference / bound) < Number(1.0) || std::isnan((difference / bound))
                  ? (difference / bound)
                  : Number(1.0)) > Number(-1.0) ||
                     std::isnan(
                         ((difference / bound) < Number(1.0) || std::isnan((difference / bound))
                              ? (difference / bound)
                              : Number(1.0)))
                 ? ((difference / bound) < Number(1.0) || std::isnan((difference / bound))
                        ? (difference / bound)
                        : Number(1.0))
                 : Number(-1.0))
      : difference == Number(0.0) ? difference
      : difference < 0            ? -Number(1.0)
                                  : Number(1.0);
  return Number(reduction) == Number(1.0) ? gradOut * slope * (Number(1.0) / Number(count))
                                          : gradOut * slope;
}

void CheckSmoothL1LossBackward(const TensorParameter &gradOut, const TensorParameter &self,
                               const TensorParameter &target, int64_t reduction, float beta,
                               const TensorParameter &gradInput) {
  RequireNotNull({gradOut, self, target, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOut, self, target, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOut, self, target, gradInput}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasInference);
  RequireDataType({gradOut, self, target, gradInput}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasTraining);
  RequirePublicFormat({gradOut, self, target, gradInput});
  RequireRank({gradOut, self, target, gradInput}, 1, 8);
  RequireBroadcast({gradOut, self, target}, gradInput);
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
  Require(beta >= 0, "beta is not negative");
}

}  // namespace

aclnnStatus aclnnSmoothL1LossBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *self, const aclTensor *target, int64_t reduction,
    float beta, aclTensor *gradInput, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSmoothL1LossBackward", workspaceSize, executor, [&] {
    CheckSmoothL1LossBackward({"gradOut", gradOut}, {"self", self}, {"target", target}, reduction,
                              beta, {"gradInput", gradInput});
    return Work{0, [gradOut = *gradOut, self = *self, target = *target, gradInput = *gradInput,
                    reduction = reduction, beta = beta, count = ElementCount(self->shape),
                    stretched = ElementCount(gradInput->shape)](void *) {
                  const auto kernel = [reduction, beta, count, stretched](float gradOutElement,
                                                                          float selfElement,
                                                                          float targetElement) {
                    return SmoothL1LossBackward(gradOutElement, selfElement, targetElement,
                                                reduction, beta, count, stretched);
                  };
                  Map(gradInput, kernel, BroadcastTo(gradOut, gradInput.shape),
                      BroadcastTo(self, gradInput.shape), BroadcastTo(target, gradInput.shape));
                }};
  });
}

aclnnStatus aclnnSmoothL1LossBackward(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnSmoothL1LossBackward", workspace, workspaceSize, executor, stream);
}
