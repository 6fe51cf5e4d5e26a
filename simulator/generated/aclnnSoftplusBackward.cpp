// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftplusBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_softplus_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1>
Number SoftplusBackward(Number gradOutput, Number self, T0 beta, T1 threshold) {
  const Number scaled = Number(beta) * self;
  const Number divisor = std::exp(-scaled) + Number(1.0);
  return scaled > Number(threshold) ? gradOutput : gradOutput * (Number(1.0) / divisor);
}

void CheckSoftplusBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                           const ScalarParameter &beta, const ScalarParameter &threshold,
                           const TensorParameter &gradInput) {
  RequireNotNull({gradOutput, self, gradInput}, {}, {beta, threshold});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireScalarType({beta, threshold}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32,
                                        ACL_INT64, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_BOOL});
  RequireSameDataType({gradOutput, gradInput}, self);
  RequirePublicFormat({gradOutput, self, gradInput});
  RequireRank({gradOutput, self, gradInput}, 0, 8);
  RequireSameShape({gradOutput, gradInput}, self);
}

}  // namespace

aclnnStatus aclnnSoftplusBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                  const aclTensor *self, const aclScalar *beta,
                                                  const aclScalar *threshold, aclTensor *gradInput,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftplusBackward", workspaceSize, executor, [&] {
    CheckSoftplusBackward({"gradOutput", gradOutput}, {"self", self}, {"beta", beta},
                          {"threshold", threshold}, {"gradInput", gradInput});
    return Work{0, [gradOutput = *gradOutput, self = *self, gradInput = *gradInput,
                    beta = static_cast<double>(ToDouble(*beta)),
                    threshold = static_cast<double>(ToDouble(*threshold))](void *) {
                  const auto kernel = [beta, threshold](auto gradOutputElement, auto selfElement) {
                    return SoftplusBackward(gradOutputElement, selfElement, beta, threshold);
                  };
                  MapInOwnType(gradInput, kernel, gradOutput, self);
                }};
  });
}

aclnnStatus aclnnSoftplusBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnSoftplusBackward", workspace, workspaceSize, executor, stream);
}
