// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardshrinkBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_hardshrink_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number HardshrinkBackward(Number gradOutput, Number self, T0 lambd) {
  return (self > Number(lambd) && self > Number(0.0)) ||
                 (self < -Number(lambd) && self < Number(0.0))
             ? gradOutput
             : Number(0.0);
}

void CheckHardshrinkBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                             const ScalarParameter &lambd, const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput}, {}, {lambd});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({lambd}, {ACL_FLOAT});
  RequireSameDataType({gradOutput, gradInput}, self);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireRank({gradOutput, self, gradInput}, 0, 8);
  RequireBroadcast({gradOutput, self}, gradInput);
}

}  // namespace

aclnnStatus aclnnHardshrinkBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                    const aclTensor *self, const aclScalar *lambd,
                                                    aclTensor *gradInput, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor) {
  return PlanOperator("aclnnHardshrinkBackward", workspaceSize, executor, [&] {
    CheckHardshrinkBackward({"gradOutput", gradOutput}, {"self", self}, {"lambd", lambd},
                            {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput,
                    lambd = static_cast<float>(ToDouble(*lambd))](void *) {
                  const auto kernel = [lambd](float gradOutputElement, float selfElement) {
                    return HardshrinkBackward(gradOutputElement, selfElement, lambd);
                  };
                  Map(gradInput, kernel, BroadcastTo(gradOutput, gradInput.shape),
                      BroadcastTo(self, gradInput.shape));
                }};
  });
}

aclnnStatus aclnnHardshrinkBackward(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnHardshrinkBackward", workspace, workspaceSize, executor, stream);
}
