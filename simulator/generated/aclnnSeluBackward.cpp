// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSeluBackward.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/selu_backward.h, not this file.
#include "aclnnop/aclnn_selu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/selu_backward.h"

using namespace simulator;

namespace {

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
