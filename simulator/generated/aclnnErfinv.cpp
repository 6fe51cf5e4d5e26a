// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnErfinv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_erfinv.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckErfinv(const TensorParameter &self, const TensorParameter &out) {
  RequireNotNull({self, out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_BOOL, ACL_INT8, ACL_INT16,
                           ACL_INT32, ACL_INT64, ACL_UINT8});
  RequireDataType({out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self, out}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequirePublicFormat({self, out});
  RequireRank({self, out}, 0, 8);
  RequireSameShape({out}, self);
}

}  // namespace

aclnnStatus aclnnErfinvGetWorkspaceSize(const aclTensor *self, aclTensor *out,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnErfinv", workspaceSize, executor, [&] {
    CheckErfinv({"self", self}, {"out", out});
    return Work{0, [self = *self, out = *out](void *) { StandIn({out}, {self}); }};
  });
}

aclnnStatus aclnnErfinv(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                        aclrtStream stream) {
  return LaunchOperator("aclnnErfinv", workspace, workspaceSize, executor, stream);
}
