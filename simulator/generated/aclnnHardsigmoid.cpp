// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardsigmoid.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/hardsigmoid.h, not this file.
#include "aclnnop/aclnn_hardsigmoid.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/hardsigmoid.h"

using namespace simulator;

namespace {

void CheckHardsigmoid(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnHardsigmoidGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnHardsigmoid", workspaceSize, executor, [&] {
    CheckHardsigmoid({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](auto selfElement) { return Hardsigmoid(selfElement); };
                  MapInOwnType(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnHardsigmoid(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                             aclrtStream stream) {
  return LaunchOperator("aclnnHardsigmoid", workspace, workspaceSize, executor, stream);
}
