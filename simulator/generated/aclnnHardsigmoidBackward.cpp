// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardsigmoidBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number HardsigmoidBackward(Number gradOutput, Number self) {
  return Number(-3.0) < self && self < Number(3.0) ? gradOutput / Number(6.0) : Number(0.0);
}

void CheckHardsigmoidBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                              const TensorParameter &out) {
  RequireNotNull({gradOutput, self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOutput, self, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({gradOutput, self, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({gradOutput, self, out});
  RequireRank({gradOutput, self, out}, 0, 8);
  RequireSameShape({gradOutput, out}, self);
}

}  // namespace

aclnnStatus aclnnHardsigmoidBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                     const aclTensor *self, aclTensor *out,
                                                     uint64_t *workspaceSize,
                                                     aclOpExecutor **executor) {
  return PlanOperator("aclnnHardsigmoidBackward", workspaceSize, executor, [&] {
    CheckHardsigmoidBackward({"gradOutput", gradOutput}, {"self", self}, {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out](void *) {
                  const auto kernel = [](float gradOutputElement, float selfElement) {
                    return HardsigmoidBackward(gradOutputElement, selfElement);
                  };
                  Map(out, kernel, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnHardsigmoidBackward(void *workspace, uint64_t workspaceSize,
                                     aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnHardsigmoidBackward", workspace, workspaceSize, executor, stream);
}
