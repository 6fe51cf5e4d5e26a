// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceNormalTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_normal.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceNormalTensor(const TensorParameter &selfRef, float std,
                              const TensorParameter &seedTensor,
                              const TensorParameter &offsetTensor, int64_t offset) {
  RequireNotNull({selfRef, seedTensor, offsetTensor});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT16, ACL_INT8,
                              ACL_UINT8, ACL_INT64, ACL_BOOL, ACL_DOUBLE});
  RequireDataType({seedTensor, offsetTensor}, {ACL_INT64});
  RequirePublicFormat({selfRef, seedTensor, offsetTensor});
  RequireRank({selfRef}, 0, 8);
  RequireRank({seedTensor, offsetTensor}, 1, 1);
  Require(std >= 0, "std is 0 or more");
  if (IsOn({Product::kAscend950}))
    Require((offset % 4) == 0, "on this product offset is a multiple of 4");
  RequireShape(seedTensor, {1});
  RequireShape(offsetTensor, {1});
}

}  // namespace

aclnnStatus aclnnInplaceNormalTensorGetWorkspaceSize(const aclTensor *selfRef, float mean,
                                                     float std, const aclTensor *seedTensor,
                                                     const aclTensor *offsetTensor, int64_t offset,
                                                     uint64_t *workspaceSize,
                                                     aclOpExecutor **executor) {
  static_cast<void>(mean);
  return PlanOperator("aclnnInplaceNormalTensor", workspaceSize, executor, [&] {
    CheckInplaceNormalTensor({"selfRef", selfRef}, std, {"seedTensor", seedTensor},
                             {"offsetTensor", offsetTensor}, offset);
    return Work{0, [selfRef = *selfRef, seedTensor = *seedTensor, offsetTensor = *offsetTensor](
                       void *) { StandIn({selfRef}, {selfRef, seedTensor, offsetTensor}); }};
  });
}

aclnnStatus aclnnInplaceNormalTensor(void *workspace, uint64_t workspaceSize,
                                     aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnInplaceNormalTensor", workspace, workspaceSize, executor, stream);
}
