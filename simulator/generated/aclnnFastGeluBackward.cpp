// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFastGeluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_fast_gelu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number FastGeluBackward(Number gradOutput, Number self) {
  const Number argument = Number(-1.702) * self;
  const Number s = Number(1.0) / (std::exp(argument) + Number(1.0));
  return gradOutput * (((s - Number(1.0)) * argument + Number(1.0)) * s);
}

void CheckFastGeluBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                           const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({gradOutput, gradInput}, self);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireSameFormat({self, gradInput}, gradOutput);
  RequireRank({gradOutput, self, gradInput}, 0, 8);
  RequireSameShape({gradOutput, gradInput}, self);
}

}  // namespace

aclnnStatus aclnnFastGeluBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                  const aclTensor *self, aclTensor *gradInput,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnFastGeluBackward", workspaceSize, executor, [&] {
    CheckFastGeluBackward({"gradOutput", gradOutput}, {"self", self}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput](void *) {
                  const auto kernel = [](float gradOutputElement, float selfElement) {
                    return FastGeluBackward(gradOutputElement, selfElement);
                  };
                  Map(gradInput, kernel, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnFastGeluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnFastGeluBackward", workspace, workspaceSize, executor, stream);
}
