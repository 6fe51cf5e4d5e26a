// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardswish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include <cmath>
#include <cstdlib>

#include "aclnnop/aclnn_hardswish.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"

using namespace simulator;

namespace {

template <typename Number>
Number Hardswish(Number self) {
  return self <= Number(-3.0)  ? Number(0.0)
         : self >= Number(3.0) ? self
                               : self * (self + Number(3.0)) / Number(6.0);
}

void CheckHardswish(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self, out}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});
  RequireDataType({self, out}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasTraining);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnHardswishGetWorkspaceSize(const aclTensor *self, const aclTensor *out,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnHardswish", workspaceSize, executor, [&] {
    CheckHardswish({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](float selfElement) { return Hardswish(selfElement); };
                  Map(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnHardswish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnHardswish", workspace, workspaceSize, executor, stream);
}
