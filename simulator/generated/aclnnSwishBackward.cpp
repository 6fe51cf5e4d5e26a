// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwishBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_swish_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number SwishBackward(Number gradOutput, Number self, T0 betaOptional) {
  const Number bx = Number(betaOptional) * self;
  const Number s = Number(1.0) / (Number(1.0) + std::exp(-bx));
  return gradOutput * (s * (Number(1.0) + bx * (Number(1.0) - s)));
}

void CheckSwishBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                        const ScalarParameter &betaOptional, const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({betaOptional},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8,
                     ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_BOOL});
  RequireSameDataType({gradOutput, gradInput}, self);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireRank({gradOutput, self, gradInput}, 0, 8);
  RequireSameShape({gradOutput, gradInput}, self);
}

}  // namespace

aclnnStatus aclnnSwishBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *self,
                                               const aclScalar *betaOptional, aclTensor *gradInput,
                                               uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSwishBackward", workspaceSize, executor, [&] {
    CheckSwishBackward({"gradOutput", gradOutput}, {"self", self}, {"betaOptional", betaOptional},
                       {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput,
                    betaOptional = betaOptional == nullptr
                                       ? 1.0F
                                       : static_cast<float>(ToDouble(*betaOptional))](void *) {
                  const auto kernel = [betaOptional](float gradOutputElement, float selfElement) {
                    return SwishBackward(gradOutputElement, selfElement, betaOptional);
                  };
                  Map(gradInput, kernel, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnSwishBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnSwishBackward", workspace, workspaceSize, executor, stream);
}
