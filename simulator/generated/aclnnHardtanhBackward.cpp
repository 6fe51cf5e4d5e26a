// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardtanhBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_hardtanh_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1>
Number HardtanhBackward(Number gradOutput, Number self, T0 min, T1 max) {
  return self > Number(max) || self < Number(min) ? Number(0.0) : gradOutput;
}

void CheckHardtanhBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                           const ScalarParameter &min, const ScalarParameter &max,
                           const TensorParameter &out) {
  RequireNotNull({gradOutput, self, out}, {}, {min, max});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlas200I500A2, Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasTraining);
  RequireScalarType({min, max}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireScalarType({min, max}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireScalarType({min, max}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, out}, self);
  RequirePublicFormat({gradOutput, self, out});
  RequireRank({gradOutput, self, out}, 0, 8);
  RequireSameShape({gradOutput, out}, self);
  RequireNotEmpty({gradOutput, self, out});
}

}  // namespace

aclnnStatus aclnnHardtanhBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                  const aclTensor *self, const aclScalar *min,
                                                  const aclScalar *max, aclTensor *out,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnHardtanhBackward", workspaceSize, executor, [&] {
    CheckHardtanhBackward({"gradOutput", gradOutput}, {"self", self}, {"min", min}, {"max", max},
                          {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out,
                    min = static_cast<float>(ToDouble(*min)),
                    max = static_cast<float>(ToDouble(*max))](void *) {
                  const auto kernel = [min, max](float gradOutputElement, float selfElement) {
                    return HardtanhBackward(gradOutputElement, selfElement, min, max);
                  };
                  Map(out, kernel, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnHardtanhBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnHardtanhBackward", workspace, workspaceSize, executor, stream);
}
