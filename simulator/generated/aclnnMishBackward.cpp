// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMishBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_mish_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number MishBackward(Number gradOutput, Number self) {
  const Number t = std::tanh(std::log(Number(1.0) + std::exp(self)));
  return gradOutput *
         (t + self * ((Number(1.0) - t * t) * (Number(1.0) / (Number(1.0) + std::exp(-self)))));
}

void CheckMishBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                       const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOutput, self, gradInput}, {ACL_FLOAT, ACL_FLOAT16},
                  Product::kAtlasInference);
  RequireDataType({gradOutput, self, gradInput}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireRank({gradOutput, self, gradInput}, 0, 8);
  RequireBroadcastTo(gradOutput, self);
  RequireBroadcast({gradOutput, self}, gradInput);
}

}  // namespace

aclnnStatus aclnnMishBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                              aclTensor *gradInput, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  return PlanOperator("aclnnMishBackward", workspaceSize, executor, [&] {
    CheckMishBackward({"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput](void *) {
                  const auto kernel = [](float gradOutputElement, float selfElement) {
                    return MishBackward(gradOutputElement, selfElement);
                  };
                  Map(gradInput, kernel, BroadcastTo(gradOutput, gradInput.shape), self);
                }};
  });
}

aclnnStatus aclnnMishBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnMishBackward", workspace, workspaceSize, executor, stream);
}
