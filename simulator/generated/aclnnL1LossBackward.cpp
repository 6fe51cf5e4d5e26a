// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnL1LossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_l1_loss_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1, typename T2>
Number L1LossBackward(Number gradOutput, Number self, Number target, T0 reduction, T1 count, T2) {
  const Number share =
      Number(reduction) == Number(1.0) ? gradOutput * (Number(1.0) / Number(count)) : gradOutput;
  return (self - target) < 0 ? -share : share;
}

void CheckL1LossBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                         const TensorParameter &target, int64_t reduction,
                         const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, target, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, target, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOutput, self, target, gradInput}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasInference);
  RequireDataType({gradOutput, self, target, gradInput}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasTraining);
  RequirePublicFormat({gradOutput, self, target, gradInput});
  RequireRank({gradOutput, self, target, gradInput}, 1, 8);
  RequireBroadcast({gradOutput, self, target}, gradInput);
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
}

}  // namespace

aclnnStatus aclnnL1LossBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                                const aclTensor *target, int64_t reduction,
                                                aclTensor *gradInput, uint64_t *workspaceSize,
                                                aclOpExecutor **executor) {
  return PlanOperator("aclnnL1LossBackward", workspaceSize, executor, [&] {
    CheckL1LossBackward({"gradOutput", gradOutput}, {"self", self}, {"target", target}, reduction,
                        {"gradInput", gradInput});
    return Work{
        0, [gradOutput = *gradOutput, self = *self, target = *target, gradInput = *gradInput,
            reduction = reduction, count = ElementCount(self->shape),
            stretched = ElementCount(gradInput->shape)](void *) {
          const auto kernel = [reduction, count, stretched](
                                  float gradOutputElement, float selfElement, float targetElement) {
            return L1LossBackward(gradOutputElement, selfElement, targetElement, reduction, count,
                                  stretched);
          };
          Map(gradInput, kernel, BroadcastTo(gradOutput, gradInput.shape),
              BroadcastTo(self, gradInput.shape), BroadcastTo(target, gradInput.shape));
        }};
  });
}

aclnnStatus aclnnL1LossBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnL1LossBackward", workspace, workspaceSize, executor, stream);
}
