// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLeakyRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_leaky_relu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number LeakyRelu(Number self, T0 negativeSlope) {
  return self >= Number(0.0) ? self : self * Number(negativeSlope);
}

void CheckLeakyRelu(const TensorParameter &self, const ScalarParameter &negativeSlope,
                    const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {negativeSlope});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({negativeSlope}, {ACL_FLOAT});
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnLeakyReluGetWorkspaceSize(const aclTensor *self, const aclScalar *negativeSlope,
                                           aclTensor *out, uint64_t *workspaceSize,
                                           aclOpExecutor **executor) {
  return PlanOperator("aclnnLeakyRelu", workspaceSize, executor, [&] {
    CheckLeakyRelu({"self", self}, {"negativeSlope", negativeSlope}, {"out", out});
    return Work{0, [self = *self, out = *out,
                    negativeSlope = static_cast<float>(ToDouble(*negativeSlope))](void *) {
                  const auto kernel = [negativeSlope](float selfElement) {
                    return LeakyRelu(selfElement, negativeSlope);
                  };
                  Map(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnLeakyRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnLeakyRelu", workspace, workspaceSize, executor, stream);
}
