// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnShrink.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_shrink.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0, typename T1>
Number Shrink(Number self, T0 lambd, T1 bias) {
  return self > Number(lambd)    ? self - Number(bias)
         : self < -Number(lambd) ? self + Number(bias)
                                 : Number(0.0);
}

void CheckShrink(const TensorParameter &self, const ScalarParameter &lambd,
                 const ScalarParameter &bias, const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {lambd, bias});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16});
  RequireScalarType({lambd, bias}, {ACL_FLOAT});
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
  Require(!(ToDouble(*lambd.scalar) < 0), "lambd is not below 0");
}

}  // namespace

aclnnStatus aclnnShrinkGetWorkspaceSize(const aclTensor *self, const aclScalar *lambd,
                                        const aclScalar *bias, aclTensor *out,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnShrink", workspaceSize, executor, [&] {
    CheckShrink({"self", self}, {"lambd", lambd}, {"bias", bias}, {"out", out});
    return Work{0, [self = *self, out = *out, lambd = static_cast<float>(ToDouble(*lambd)),
                    bias = static_cast<float>(ToDouble(*bias))](void *) {
                  const auto kernel = [lambd, bias](float selfElement) {
                    return Shrink(selfElement, lambd, bias);
                  };
                  Map(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnShrink(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                        aclrtStream stream) {
  return LaunchOperator("aclnnShrink", workspace, workspaceSize, executor, stream);
}
