// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftMarginLossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_soft_margin_loss_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1, typename T2>
Number SoftMarginLossBackward(Number gradOutput, Number self, Number target, T0 reduction, T1 count,
                              T2) {
  const Number product = target * self;
  const Number slope = -target * (Number(1.0) / (Number(1.0) + std::exp(-(-product))));
  return Number(reduction) == Number(1.0) ? gradOutput * slope * (Number(1.0) / Number(count))
                                          : gradOutput * slope;
}

void CheckSoftMarginLossBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                                 const TensorParameter &target, int64_t reduction,
                                 const TensorParameter &out) {
  RequireNotNull({gradOutput, self, target, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, target, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOutput, self, target, out}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasTraining);
  RequirePublicFormat({gradOutput, self, target, out});
  RequireRank({gradOutput, self, target, out}, 1, 8);
  RequireBroadcast({gradOutput, self, target}, out);
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
}

}  // namespace

aclnnStatus aclnnSoftMarginLossBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                        const aclTensor *self,
                                                        const aclTensor *target, int64_t reduction,
                                                        aclTensor *out, uint64_t *workspaceSize,
                                                        aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftMarginLossBackward", workspaceSize, executor, [&] {
    CheckSoftMarginLossBackward({"gradOutput", gradOutput}, {"self", self}, {"target", target},
                                reduction, {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, target = *target, out = *out,
                    reduction = reduction, count = ElementCount(self->shape),
                    stretched = ElementCount(out->shape)](void *) {
                  const auto kernel = [reduction, count, stretched](float gradOutputElement,
                                                                    float selfElement,
                                                                    float targetElement) {
                    return SoftMarginLossBackward(gradOutputElement, selfElement, targetElement,
                                                  reduction, count, stretched);
                  };
                  Map(out, kernel, BroadcastTo(gradOutput, out.shape), BroadcastTo(self, out.shape),
                      BroadcastTo(target, out.shape));
                }};
  });
}

aclnnStatus aclnnSoftMarginLossBackward(void *workspace, uint64_t workspaceSize,
                                        aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnSoftMarginLossBackward", workspace, workspaceSize, executor, stream);
}
