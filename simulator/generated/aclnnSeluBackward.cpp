// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSeluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "aclnnop/aclnn_selu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number SeluBackward(Number gradOutput, Number result) {
  using Real = std::conditional_t<std::is_integral_v<Number>, double, Number>;
  const Real scale = Real(1.0507009873554805);
  const Real alpha = Real(1.6732632423543772);
  const Real below = Real(result) + scale * alpha;
  return static_cast<Number>(Real(gradOutput) * (Real(result) > Real(0.0) ? scale : below));
}

void CheckSeluBackward(const TensorParameter &gradOutput, const TensorParameter &result,
                       const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, result, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({result}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_BF16});
  RequireDataType({result}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8},
                  Product::kAtlasInference);
  RequireDataType({result}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, gradInput}, result);
  RequirePublicFormat({gradOutput, result, gradInput});
  RequireRank({gradOutput, result, gradInput}, 1, 8);
  RequireSameShape({gradOutput, gradInput}, result);
}

}  // namespace

aclnnStatus aclnnSeluBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *result,
                                              aclTensor *gradInput, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  return PlanOperator("aclnnSeluBackward", workspaceSize, executor, [&] {
    CheckSeluBackward({"gradOutput", gradOutput}, {"result", result}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, result = *result, gradInput = *gradInput](void *) {
                  const auto kernel = [](auto gradOutputElement, auto resultElement) {
                    return SeluBackward(gradOutputElement, resultElement);
                  };
                  MapInOwnType(gradInput, kernel, gradOutput, result);
                }};
  });
}

aclnnStatus aclnnSeluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnSeluBackward", workspace, workspaceSize, executor, stream);
}
