// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSiluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_silu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number SiluBackward(Number gradOutput, Number self) {
  const Number s = Number(1.0) / (Number(1.0) + std::exp(-self));
  return gradOutput * (s * (Number(1.0) + self - self * s));
}

void CheckSiluBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                       const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, gradInput}, self);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireRank({gradOutput, self, gradInput}, 1, 8);
  RequireSameShape({gradOutput, gradInput}, self);
}

}  // namespace

aclnnStatus aclnnSiluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                              aclTensor *gradInput, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  return PlanOperator("aclnnSiluBackward", workspaceSize, executor, [&] {
    CheckSiluBackward({"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput](void *) {
                  const auto kernel = [](float gradOutputElement, float selfElement) {
                    return SiluBackward(gradOutputElement, selfElement);
                  };
                  Map(gradInput, kernel, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnSiluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnSiluBackward", workspace, workspaceSize, executor, stream);
}
