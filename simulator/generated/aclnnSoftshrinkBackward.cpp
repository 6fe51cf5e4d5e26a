// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftshrinkBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_softshrink_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number SoftshrinkBackward(Number gradOutput, Number self, T0 lambda) {
  return self > Number(lambda) || self < -Number(lambda) ? gradOutput : Number(0.0);
}

void CheckSoftshrinkBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                             const ScalarParameter &lambda, const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput}, {}, {lambda});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({lambda}, {ACL_FLOAT});
  RequireSameDataType({gradOutput, gradInput}, self);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireRank({gradOutput, self, gradInput}, 0, 8);
  RequireBroadcast({gradOutput, self}, gradInput);
  Require(!(ToDouble(*lambda.scalar) < 0), "lambda is not below 0");
  Require((gradInput->Rank() == self->Rank()) &&
              (ElementCount(gradInput->shape) == ElementCount(self->shape)),
          "gradInput has the shape of self");
}

}  // namespace

aclnnStatus aclnnSoftshrinkBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                    const aclTensor *self, const aclScalar *lambda,
                                                    aclTensor *gradInput, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftshrinkBackward", workspaceSize, executor, [&] {
    CheckSoftshrinkBackward({"gradOutput", gradOutput}, {"self", self}, {"lambda", lambda},
                            {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput,
                    lambda = static_cast<float>(ToDouble(*lambda))](void *) {
                  const auto kernel = [lambda](float gradOutputElement, float selfElement) {
                    return SoftshrinkBackward(gradOutputElement, selfElement, lambda);
                  };
                  Map(gradInput, kernel, BroadcastTo(gradOutput, gradInput.shape),
                      BroadcastTo(self, gradInput.shape));
                }};
  });
}

aclnnStatus aclnnSoftshrinkBackward(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnSoftshrinkBackward", workspace, workspaceSize, executor, stream);
}
