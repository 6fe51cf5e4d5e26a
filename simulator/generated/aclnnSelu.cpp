// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSelu.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/selu.h, not this file.
#include "aclnnop/aclnn_selu.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/selu.h"

using namespace simulator;

namespace {

void CheckSelu(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8}, Product::kAtlasTraining);
  RequireSameDataType({out}, self);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 1, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnSeluGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnSelu", workspaceSize, executor, [&] {
    CheckSelu({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) {
                  const auto kernel = [](auto selfElement) { return Selu(selfElement); };
                  MapInOwnType(out, kernel, self);
                }};
  });
}

aclnnStatus aclnnSelu(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                      aclrtStream stream) {
  return LaunchOperator("aclnnSelu", workspace, workspaceSize, executor, stream);
}
