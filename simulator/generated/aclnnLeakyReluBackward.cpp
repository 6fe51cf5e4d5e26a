// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLeakyReluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1>
Number LeakyReluBackward(Number gradOutput, Number self, T0 negativeSlope, T1) {
  return self > Number(0.0) ? gradOutput : gradOutput * Number(negativeSlope);
}

void CheckLeakyReluBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                            const ScalarParameter &negativeSlope, bool selfIsResult,
                            const TensorParameter &out) {
  RequireNotNull({gradOutput, self, out}, {}, {negativeSlope});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({gradOutput, self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({gradOutput, self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE},
                  Product::kAtlasInference);
  RequireDataType({gradOutput, self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE},
                  Product::kAtlasTraining);
  RequireScalarType({negativeSlope}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT64,
                                      ACL_INT8, ACL_BOOL, ACL_INT16, ACL_UINT8, ACL_BF16});
  RequireScalarType({negativeSlope},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8, ACL_BOOL,
                     ACL_INT16, ACL_UINT8},
                    Product::kAtlasInference);
  RequireScalarType({negativeSlope},
                    {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8, ACL_BOOL,
                     ACL_INT16, ACL_UINT8},
                    Product::kAtlasTraining);
  RequirePublicFormat({gradOutput, self, out});
  RequireRank({gradOutput, self, out}, 0, 8);
  RequireBroadcast({gradOutput, self}, out);
  Require((!(selfIsResult)) || (ToDouble(*negativeSlope.scalar) >= 0),
          "negativeSlope is not below 0 where selfIsResult is true");
}

}  // namespace

aclnnStatus aclnnLeakyReluBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclScalar *negativeSlope,
    bool selfIsResult, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnLeakyReluBackward", workspaceSize, executor, [&] {
    CheckLeakyReluBackward({"gradOutput", gradOutput}, {"self", self},
                           {"negativeSlope", negativeSlope}, selfIsResult, {"out", out});
    return Work{0, [gradOutput = *gradOutput, self = *self, out = *out,
                    negativeSlope = static_cast<double>(ToDouble(*negativeSlope)),
                    selfIsResult = selfIsResult](void *) {
                  const auto kernel = [negativeSlope, selfIsResult](auto gradOutputElement,
                                                                    auto selfElement) {
                    return LeakyReluBackward(gradOutputElement, selfElement, negativeSlope,
                                             selfIsResult);
                  };
                  MapInOwnType(out, kernel, BroadcastTo(gradOutput, out.shape),
                               BroadcastTo(self, out.shape));
                }};
  });
}

aclnnStatus aclnnLeakyReluBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnLeakyReluBackward", workspace, workspaceSize, executor, stream);
}
