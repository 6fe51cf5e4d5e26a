// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardshrink.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_hardshrink.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number, typename T0>
Number Hardshrink(Number self, T0 lambd) {
  return self > Number(lambd) || self < -Number(lambd) ? self : Number(0.0);
}

void CheckHardshrink(const TensorParameter &self, const ScalarParameter &lambd,
                     const TensorParameter &out) {
  RequireNotNull({self, out}, {}, {lambd});
  RequireProduct(
      {Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasTraining);
  RequireScalarType({lambd}, {ACL_FLOAT});
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnHardshrinkGetWorkspaceSize(const aclTensor *self, const aclScalar *lambd,
                                            aclTensor *out, uint64_t *workspaceSize,
                                            aclOpExecutor **executor) {
  return PlanOperator("aclnnHardshrink", workspaceSize, executor, [&] {
    CheckHardshrink({"self", self}, {"lambd", lambd}, {"out", out});
    return Work{
        0, [self = *self, out = *out, lambd = static_cast<float>(ToDouble(*lambd))](void *) {
          const auto kernel = [lambd](float selfElement) { return Hardshrink(selfElement, lambd); };
          Map(out, kernel, self);
        }};
  });
}

aclnnStatus aclnnHardshrink(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                            aclrtStream stream) {
  return LaunchOperator("aclnnHardshrink", workspace, workspaceSize, executor, stream);
}
