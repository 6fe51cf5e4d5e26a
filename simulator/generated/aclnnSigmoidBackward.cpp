// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSigmoidBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_sigmoid_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number SigmoidBackward(Number gradOutput, Number output) {
  return gradOutput * output * (Number(1.0) - output);
}

void CheckSigmoidBackward(const TensorParameter &gradOutput, const TensorParameter &output,
                          const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, output, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({output, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({output, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE},
                  Product::kAtlasInference);
  RequireDataType({output, gradInput}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE},
                  Product::kAtlasTraining);
  RequireSameDataType({gradOutput}, output);
  RequirePublicFormat({gradOutput, output, gradInput});
  RequireRank({gradOutput, output, gradInput}, 1, 8);
  RequireBroadcast({gradOutput, output}, gradInput);
}

}  // namespace

aclnnStatus aclnnSigmoidBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                 const aclTensor *output, aclTensor *gradInput,
                                                 uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  return PlanOperator("aclnnSigmoidBackward", workspaceSize, executor, [&] {
    CheckSigmoidBackward({"gradOutput", gradOutput}, {"output", output}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, output = *output, gradInput = *gradInput](void *) {
                  const auto kernel = [](auto gradOutputElement, auto outputElement) {
                    return SigmoidBackward(gradOutputElement, outputElement);
                  };
                  MapInOwnType(gradInput, kernel, BroadcastTo(gradOutput, gradInput.shape),
                               BroadcastTo(output, gradInput.shape));
                }};
  });
}

aclnnStatus aclnnSigmoidBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnSigmoidBackward", workspace, workspaceSize, executor, stream);
}
