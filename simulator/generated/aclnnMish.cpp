// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_mish.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number Mish(Number self) {
  return self * std::tanh(std::log(Number(1.0) + std::exp(self)));
}

void CheckMish(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnMishGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnMish", workspaceSize, executor, [&] {
    CheckMish({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](float selfElement) { return Mish(selfElement); };
                  Map(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnMish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                      aclrtStream stream) {
  return LaunchOperator("aclnnMish", workspace, workspaceSize, executor, stream);
}
