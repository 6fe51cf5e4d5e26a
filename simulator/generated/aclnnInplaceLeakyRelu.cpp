// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLeakyRelu.yaml by `aclnn-cts generate`:
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
Number InplaceLeakyRelu(Number self, T0 negativeSlope) {
  return self >= Number(0.0) ? self : self * Number(negativeSlope);
}

void CheckInplaceLeakyRelu(const TensorParameter &selfRef, const ScalarParameter &negativeSlope) {
  RequireNotNull({selfRef}, {}, {negativeSlope});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({negativeSlope}, {ACL_FLOAT});
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceLeakyReluGetWorkspaceSize(aclTensor *selfRef,
                                                  const aclScalar *negativeSlope,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceLeakyRelu", workspaceSize, executor, [&] {
    CheckInplaceLeakyRelu({"selfRef", selfRef}, {"negativeSlope", negativeSlope});
    return Work{0, [selfRef = *selfRef,
                    negativeSlope = static_cast<float>(ToDouble(*negativeSlope))](void *) {
                  const auto kernel = [negativeSlope](float selfRefElement) {
                    return InplaceLeakyRelu(selfRefElement, negativeSlope);
                  };
                  Map(selfRef, kernel, selfRef);
                }};
  });
}

aclnnStatus aclnnInplaceLeakyRelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnInplaceLeakyRelu", workspace, workspaceSize, executor, stream);
}
