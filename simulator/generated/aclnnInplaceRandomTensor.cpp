// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRandomTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_random.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceRandomTensor(const TensorParameter &selfRef, int64_t from, int64_t to,
                              const TensorParameter &seedTensor,
                              const TensorParameter &offsetTensor) {
  RequireNotNull({selfRef, seedTensor, offsetTensor});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({selfRef}, {ACL_BF16, ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_INT32, ACL_INT64,
                              ACL_INT16, ACL_INT8, ACL_UINT8, ACL_BOOL});
  RequireDataType({seedTensor, offsetTensor}, {ACL_INT64});
  RequirePublicFormat({selfRef, seedTensor, offsetTensor});
  RequireRank({selfRef}, 0, 8);
  RequireRank({seedTensor, offsetTensor}, 1, 1);
  RequireContiguous({seedTensor, offsetTensor});
  Require(from < to, "from is below to");
  RequireShape(seedTensor, {1});
  RequireShape(offsetTensor, {1});
}

}  // namespace

aclnnStatus aclnnInplaceRandomTensorGetWorkspaceSize(const aclTensor *selfRef, int64_t from,
                                                     int64_t to, const aclTensor *seedTensor,
                                                     const aclTensor *offsetTensor, int64_t offset,
                                                     uint64_t *workspaceSize,
                                                     aclOpExecutor **executor) {
  static_cast<void>(offset);
  return PlanOperator("aclnnInplaceRandomTensor", workspaceSize, executor, [&] {
    CheckInplaceRandomTensor({"selfRef", selfRef}, from, to, {"seedTensor", seedTensor},
                             {"offsetTensor", offsetTensor});
    return Work{0, [selfRef = *selfRef, seedTensor = *seedTensor, offsetTensor = *offsetTensor](
                       void *) { StandIn({selfRef}, {selfRef, seedTensor, offsetTensor}); }};
  });
}

aclnnStatus aclnnInplaceRandomTensor(void *workspace, uint64_t workspaceSize,
                                     aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnInplaceRandomTensor", workspace, workspaceSize, executor, stream);
}
