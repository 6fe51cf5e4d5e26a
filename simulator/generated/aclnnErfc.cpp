// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnErfc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_erfc.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number Erfc(Number self) {
  return Number(1.0) - std::erf(self);
}

void CheckErfc(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_BOOL, ACL_INT64});
  RequireDataType({out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BOOL, ACL_INT64},
                  Product::kAtlasA2);
  RequireDataType({out}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasA2);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BOOL, ACL_INT64},
                  Product::kAtlasInference);
  RequireDataType({out}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BOOL, ACL_INT64},
                  Product::kAtlasTraining);
  RequireDataType({out}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnErfcGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnErfc", workspaceSize, executor, [&] {
    CheckErfc({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](auto selfElement) { return Erfc(selfElement); };
                  MapInOwnType(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnErfc(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                      aclrtStream stream) {
  return LaunchOperator("aclnnErfc", workspace, workspaceSize, executor, stream);
}
