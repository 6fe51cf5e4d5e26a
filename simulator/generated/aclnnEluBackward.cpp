// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_elu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1, typename T2, typename T3>
Number EluBackward(Number gradOutput, Number selfOrResult, T0 alpha, T1 scale, T2 inputScale,
                   T3 isResult) {
  const Number below = bool(isResult)
                           ? Number(inputScale) * (selfOrResult + Number(alpha) * Number(scale))
                           : Number(inputScale) * (Number(alpha) * Number(scale)) *
                                 std::exp(selfOrResult * Number(inputScale));
  return gradOutput * (selfOrResult > Number(0.0) ? Number(scale) : below);
}

void CheckEluBackward(const TensorParameter &gradOutput, const ScalarParameter &alpha,
                      const ScalarParameter &scale, const ScalarParameter &inputScale,
                      bool isResult, const TensorParameter &selfOrResult,
                      const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, selfOrResult, gradInput}, {}, {alpha, scale, inputScale});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({selfOrResult, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({selfOrResult, gradInput}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({selfOrResult, gradInput}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({alpha, scale, inputScale},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8,
                     ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_UINT32, ACL_UINT64, ACL_BOOL});
  RequireSameDataType({gradOutput}, selfOrResult);
  RequirePublicFormat({gradOutput, selfOrResult, gradInput});
  RequireRank({gradOutput, selfOrResult, gradInput}, 0, 8);
  RequireSameShape({gradOutput, gradInput}, selfOrResult);
  Require((!(isResult)) || (ToDouble(*alpha.scalar) >= 0),
          "alpha is not below 0 where isResult is true");
}

}  // namespace

aclnnStatus aclnnEluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclScalar *alpha,
                                             const aclScalar *scale, const aclScalar *inputScale,
                                             bool isResult, const aclTensor *selfOrResult,
                                             aclTensor *gradInput, uint64_t *workspaceSize,
                                             aclOpExecutor **executor) {
  return PlanOperator("aclnnEluBackward", workspaceSize, executor, [&] {
    CheckEluBackward({"gradOutput", gradOutput}, {"alpha", alpha}, {"scale", scale},
                     {"inputScale", inputScale}, isResult, {"selfOrResult", selfOrResult},
                     {"gradInput", gradInput});
    return Work{
        0,
        [gradOutput = *gradOutput, selfOrResult = *selfOrResult, gradInput = *gradInput,
         alpha = static_cast<float>(ToDouble(*alpha)), scale = static_cast<float>(ToDouble(*scale)),
         inputScale = static_cast<float>(ToDouble(*inputScale)), isResult = isResult](void *) {
          const auto kernel = [alpha, scale, inputScale, isResult](float gradOutputElement,
                                                                   float selfOrResultElement) {
            return EluBackward(gradOutputElement, selfOrResultElement, alpha, scale, inputScale,
                               isResult);
          };
          Map(gradInput, kernel, gradOutput, selfOrResult);
        }};
  });
}

aclnnStatus aclnnEluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnEluBackward", workspace, workspaceSize, executor, stream);
}
