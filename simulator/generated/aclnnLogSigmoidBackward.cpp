// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSigmoidBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number LogSigmoidBackward(Number gradOutput, Number self, Number) {
  return gradOutput * (Number(1.0) / (std::exp(self) + Number(1.0)));
}

void CheckLogSigmoidBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                             const TensorParameter &buffer, const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, buffer, gradInput});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, buffer, gradInput}, self);
  RequirePublicFormat({gradOutput, self, buffer, gradInput});
  RequireRank({gradOutput, self, buffer, gradInput}, 1, 8);
  RequireSameShape({gradOutput, buffer, gradInput}, self);
}

}  // namespace

aclnnStatus aclnnLogSigmoidBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                    const aclTensor *self, const aclTensor *buffer,
                                                    aclTensor *gradInput, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor) {
  return PlanOperator("aclnnLogSigmoidBackward", workspaceSize, executor, [&] {
    CheckLogSigmoidBackward({"gradOutput", gradOutput}, {"self", self}, {"buffer", buffer},
                            {"gradInput", gradInput});
    return Work{
        0,
        [gradOutput = *gradOutput, self = *self, buffer = *buffer, gradInput = *gradInput](void *) {
          const auto kernel = [](float gradOutputElement, float selfElement, float bufferElement) {
            return LogSigmoidBackward(gradOutputElement, selfElement, bufferElement);
          };
          Map(gradInput, kernel, gradOutput, self, buffer);
        }};
  });
}

aclnnStatus aclnnLogSigmoidBackward(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnLogSigmoidBackward", workspace, workspaceSize, executor, stream);
}
