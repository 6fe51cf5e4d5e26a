// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftshrink.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_softshrink.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number Softshrink(Number self, T0 lambd) {
  return self > Number(lambd)    ? self - Number(lambd)
         : self < -Number(lambd) ? self + Number(lambd)
                                 : Number(0.0);
}

void CheckSoftshrink(const TensorParameter &self, const ScalarParameter &lambd,
                     const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {lambd});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireScalarType({lambd}, {ACL_FLOAT});
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
  Require(!(ToDouble(*lambd.scalar) < 0), "lambd is not below 0");
}

}  // namespace

aclnnStatus aclnnSoftshrinkGetWorkspaceSize(const aclTensor *self, const aclScalar *lambd,
                                            aclTensor *out, uint64_t *workspaceSize,
                                            aclOpExecutor **executor) {
  return PlanOperator("aclnnSoftshrink", workspaceSize, executor, [&] {
    CheckSoftshrink({"self", self}, {"lambd", lambd}, {"out", out});
    return Work{
        0, [self = *self, out = *out, lambd = static_cast<float>(ToDouble(*lambd))](void *) {
          const auto kernel = [lambd](float selfElement) { return Softshrink(selfElement, lambd); };
          Map(out, kernel, self);
        }};
  });
}

aclnnStatus aclnnSoftshrink(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream) {
  return LaunchOperator("aclnnSoftshrink", workspace, workspaceSize, executor, stream);
}
