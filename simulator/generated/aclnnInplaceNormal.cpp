// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceNormal.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_normal.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceNormal(const TensorParameter &selfRef, float std, int64_t offset) {
  RequireNotNull({selfRef});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64,
                              ACL_INT16, ACL_INT8, ACL_UINT8, ACL_BOOL});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}, Product::kAtlasA3);
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}, Product::kAtlasA2);
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequirePublicFormat({selfRef});
  RequireRank({selfRef}, 0, 8);
  Require(std >= 0, "std is 0 or more");
  if (IsOn({Product::kAscend950}))
    Require((offset % 4) == 0, "on this product offset is a multiple of 4");
}

}  // namespace

aclnnStatus aclnnInplaceNormalGetWorkspaceSize(const aclTensor *selfRef, float mean, float std,
                                               int64_t seed, int64_t offset,
                                               uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(mean);
  static_cast<void>(seed);
  return PlanOperator("aclnnInplaceNormal", workspaceSize, executor, [&] {
    CheckInplaceNormal({"selfRef", selfRef}, std, offset);
    return Work{0, [selfRef = *selfRef](void *) { StandIn({selfRef}, {selfRef}); }};
  });
}

aclnnStatus aclnnInplaceNormal(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnInplaceNormal", workspace, workspaceSize, executor, stream);
}
