// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardswishBackwardV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_hardswish_backward_v2.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number HardswishBackwardV2(Number gradOutput, Number self) {
  return self <= Number(-3.0)  ? Number(0.0)
         : self >= Number(3.0) ? gradOutput
                               : gradOutput * (self / Number(3.0) + Number(0.5));
}

void CheckHardswishBackwardV2(const TensorParameter &gradOutput, const TensorParameter &self,
                              const TensorParameter &out) {
  RequireNotNull({gradOutput, self, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, out}, self);
  RequirePublicFormat({gradOutput, self, out});
  RequireRank({gradOutput, self, out}, 1, 8);
  RequireSameShape({gradOutput, out}, self);
}

}  // namespace

aclnnStatus aclnnHardswishBackwardV2GetWorkspaceSize(const aclTensor *gradOutput,
                                                     const aclTensor *self, aclTensor *out,
                                                     uint64_t *workspaceSize,
                                                     aclOpExecutor **executor) {
  return PlanOperator("aclnnHardswishBackwardV2", workspaceSize, executor, [&] {
    CheckHardswishBackwardV2({"gradOutput", gradOutput}, {"self", self}, {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out](void *) {
                  const auto kernel = [](float gradOutputElement, float selfElement) {
                    return HardswishBackwardV2(gradOutputElement, selfElement);
                  };
                  Map(out, kernel, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnHardswishBackwardV2(void *workspace, uint64_t workspaceSize,
                                     aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnHardswishBackwardV2", workspace, workspaceSize, executor, stream);
}
