// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardswishBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_hardswish_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number HardswishBackward(Number gradOutput, Number self) {
  return self < Number(-3.0)  ? Number(0.0)
         : self > Number(3.0) ? gradOutput
                              : gradOutput * (self / Number(3.0) + Number(0.5));
}

void CheckHardswishBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                            const TensorParameter &out) {
  RequireNotNull({gradOutput, self, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, out}, self);
  RequirePublicFormat({gradOutput, self, out});
  RequireRank({gradOutput, self, out}, 0, 8);
  RequireSameShape({gradOutput, out}, self);
}

}  // namespace

aclnnStatus aclnnHardswishBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                   const aclTensor *self, aclTensor *out,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  return PlanOperator("aclnnHardswishBackward", workspaceSize, executor, [&] {
    CheckHardswishBackward({"gradOutput", gradOutput}, {"self", self}, {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out](void *) {
                  const auto kernel = [](float gradOutputElement, float selfElement) {
                    return HardswishBackward(gradOutputElement, selfElement);
                  };
                  Map(out, kernel, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnHardswishBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnHardswishBackward", workspace, workspaceSize, executor, stream);
}
