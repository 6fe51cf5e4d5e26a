// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTanhBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_tanh_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number TanhBackward(Number gradOutput, Number output) {
  return gradOutput * (Number(1.0) - output * output);
}

void CheckTanhBackward(const TensorParameter &gradOutput, const TensorParameter &output,
                       const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, output, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({output}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireDataType({output}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({output}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, gradInput}, output);
  RequirePublicFormat({gradOutput, output, gradInput});
  RequireRank({gradOutput, output, gradInput}, 0, 8);
  RequireSameShape({gradOutput, gradInput}, output);
}

}  // namespace

aclnnStatus aclnnTanhBackwardGetWorkspaceSize(const aclTensor *gradOutput, const aclTensor *output,
                                              aclTensor *gradInput, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  return PlanOperator("aclnnTanhBackward", workspaceSize, executor, [&] {
    CheckTanhBackward({"gradOutput", gradOutput}, {"output", output}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, output = *output, gradInput = *gradInput](void *) {
                  const auto kernel = [](auto gradOutputElement, auto outputElement) {
                    return TanhBackward(gradOutputElement, outputElement);
                  };
                  MapInOwnType(gradInput, kernel, gradOutput, output);
                }};
  });
}

aclnnStatus aclnnTanhBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnTanhBackward", workspace, workspaceSize, executor, stream);
}
