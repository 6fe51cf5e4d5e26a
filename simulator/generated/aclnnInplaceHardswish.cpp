// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceHardswish.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/hardswish.h, not this file.
#include "aclnnop/aclnn_hardswish.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/hardswish.h"

using namespace simulator;

namespace {

void CheckInplaceHardswish(const TensorParameter &self) {
  RequireNotNull({self});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT});
  RequireDataType({self}, {ACL_FLOAT16, ACL_FLOAT}, Product::kAtlasTraining);
  RequirePublicFormat({self});
  RequireRank({self}, 0, 8);
}

}  // namespace

aclnnStatus aclnnInplaceHardswishGetWorkspaceSize(const aclTensor *self, uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceHardswish", workspaceSize, executor, [&] {
    CheckInplaceHardswish({"self", self});
    return Work{0, [self = *self](void *) { Map(self, Hardswish, self); }};
  });
}

aclnnStatus aclnnInplaceHardswish(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnInplaceHardswish", workspace, workspaceSize, executor, stream);
}
