// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRandperm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_randperm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckRandperm(int64_t n, const TensorParameter &out) {
  RequireNotNull({out});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({out}, {ACL_INT64, ACL_INT32, ACL_INT16, ACL_UINT8, ACL_INT8, ACL_FLOAT,
                          ACL_FLOAT16, ACL_DOUBLE, ACL_BF16});
  RequireDataType(
      {out},
      {ACL_INT64, ACL_INT32, ACL_INT16, ACL_UINT8, ACL_INT8, ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE},
      Product::kAtlasTraining);
  RequirePublicFormat({out});
  RequireRank({out}, 1, 1);
  Require(n > 0, "n is above 0");
  RequireShape(out, {n});
}

}  // namespace

aclnnStatus aclnnRandpermGetWorkspaceSize(int64_t n, int64_t seed, int64_t offset, aclTensor *out,
                                          uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnRandperm", workspaceSize, executor, [&] {
    CheckRandperm(n, {"out", out});
    return Work{0, [out = *out](void *) { StandIn({out}, {}); }};
  });
}

aclnnStatus aclnnRandperm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                          aclrtStream stream) {
  return LaunchOperator("aclnnRandperm", workspace, workspaceSize, executor, stream);
}
