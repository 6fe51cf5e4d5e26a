// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRandomWithoutFromToTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_random.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckInplaceRandomWithoutFromToTensor(const TensorParameter &selfRef,
                                           const TensorParameter &seedTensor,
                                           const TensorParameter &offsetTensor, int64_t offset) {
  RequireNotNull({selfRef, seedTensor, offsetTensor});
  RequireProduct({Product::kAscend950});
  RequireDataType({selfRef}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64, ACL_INT16,
                              ACL_INT8, ACL_UINT8, ACL_BOOL});
  RequireDataType({seedTensor, offsetTensor}, {ACL_INT64});
  RequirePublicFormat({selfRef, seedTensor, offsetTensor});
  RequireRank({selfRef}, 0, 8);
  RequireRank({seedTensor, offsetTensor}, 1, 1);
  RequireContiguous({seedTensor, offsetTensor});
  Require((offset % 4) == 0, "offset is a multiple of 4");
  RequireShape(seedTensor, {1});
  RequireShape(offsetTensor, {1});
}

}  // namespace

aclnnStatus aclnnInplaceRandomWithoutFromToTensorGetWorkspaceSize(
    const aclTensor *selfRef, const aclTensor *seedTensor, const aclTensor *offsetTensor,
    int64_t offset, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnInplaceRandomWithoutFromToTensor", workspaceSize, executor, [&] {
    CheckInplaceRandomWithoutFromToTensor({"selfRef", selfRef}, {"seedTensor", seedTensor},
                                          {"offsetTensor", offsetTensor}, offset);
    return Work{0, [selfRef = *selfRef, seedTensor = *seedTensor, offsetTensor = *offsetTensor](
                       void *) { StandIn({selfRef}, {selfRef, seedTensor, offsetTensor}); }};
  });
}

aclnnStatus aclnnInplaceRandomWithoutFromToTensor(void *workspace, uint64_t workspaceSize,
                                                  aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnInplaceRandomWithoutFromToTensor", workspace, workspaceSize, executor,
                        stream);
}
