// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_gelu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number GeluBackward(Number gradOutput, Number self) {
  const Number bell = std::exp(-(Number(0.5) * (self * self)));
  const Number by_erf = (Number(1.0) + std::erf(self / Number(1.4142135623730951))) / Number(2.0) +
                        self / Number(2.5066282746310002) * bell;
  return gradOutput * by_erf;
}

void CheckGeluBackward(const TensorParameter &gradOutput, const TensorParameter &self,
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
  RequireBroadcast({gradOutput, self}, gradInput);
}

}  // namespace

aclnnStatus aclnnGeluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                              const aclTensor *gradInput, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  return PlanOperator("aclnnGeluBackward", workspaceSize, executor, [&] {
    CheckGeluBackward({"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput](void *) {
                  const auto kernel = [](float gradOutputElement, float selfElement) {
                    return GeluBackward(gradOutputElement, selfElement);
                  };
                  Map(gradInput, kernel, BroadcastTo(gradOutput, gradInput.shape),
                      BroadcastTo(self, gradInput.shape));
                }};
  });
}

aclnnStatus aclnnGeluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnGeluBackward", workspace, workspaceSize, executor, stream);
}
