// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRandom.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_random.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceRandom(const TensorParameter &selfRef, int64_t from, int64_t to) {
  RequireNotNull({selfRef});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_INT32, ACL_INT64,
                              ACL_INT16, ACL_INT8, ACL_UINT8, ACL_BOOL});
  RequireDataType({selfRef},
                  {ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT16, ACL_INT8,
                   ACL_UINT8, ACL_BOOL},
                  Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
  Require(from < to, "from is below to");
}

}  // namespace

aclnnStatus aclnnInplaceRandomGetWorkspaceSize(const aclTensor *selfRef, int64_t from, int64_t to,
                                               int64_t seed, int64_t offset,
                                               uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnInplaceRandom", workspaceSize, executor, [&] {
    CheckInplaceRandom({"selfRef", selfRef}, from, to);
    return Work{0, [selfRef = *selfRef](void *) { StandIn({selfRef}, {selfRef}); }};
  });
}

aclnnStatus aclnnInplaceRandom(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnInplaceRandom", workspace, workspaceSize, executor, stream);
}
