// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceHardsigmoid.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/hardsigmoid.h, not this file.
#include "aclnnop/aclnn_hardsigmoid.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/hardsigmoid.h"

using namespace simulator;

namespace {

void CheckInplaceHardsigmoid(const TensorParameter &self) {
  RequireNotNull({self});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32}, Product::kAtlasTraining);
  RequirePublicFormat({self});
  RequireRank({self}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceHardsigmoidGetWorkspaceSize(const aclTensor *self, uint64_t *workspaceSize,
                                                    aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceHardsigmoid", workspaceSize, executor, [&] {
    CheckInplaceHardsigmoid({"self", self});
    return Work{0, [self = *self](void *) {
                  const auto kernel = [](auto selfElement) { return Hardsigmoid(selfElement); };
                  MapInOwnType(self, kernel, self);
                }};
  });
}

aclnnStatus aclnnInplaceHardsigmoid(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnInplaceHardsigmoid", workspace, workspaceSize, executor, stream);
}
