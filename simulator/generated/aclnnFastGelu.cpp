// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFastGelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_fast_gelu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number FastGelu(Number self) {
  return self / (Number(1.0) + std::exp(Number(-1.702) * self));
}

void CheckFastGelu(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireSameFormat({out}, self);
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnFastGeluGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnFastGelu", workspaceSize, executor, [&] {
    CheckFastGelu({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](float selfElement) { return FastGelu(selfElement); };
                  Map(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnFastGelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                          aclrtStream stream) {
  return LaunchOperator("aclnnFastGelu", workspace, workspaceSize, executor, stream);
}
