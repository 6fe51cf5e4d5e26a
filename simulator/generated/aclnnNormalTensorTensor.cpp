// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNormalTensorTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_normal_out.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckNormalTensorTensor(const TensorParameter &mean, const TensorParameter &std,
                             const TensorParameter &out) {
  RequireNotNull({mean, std, out});
  RequireProduct({Product::kAscend950});
  RequireDataType({mean}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireSameDataType({std, out}, mean);
  RequirePublicFormat({mean, std, out});
  RequireRank({mean, std, out}, 0, 8);
  RequireBroadcast({mean, std}, out);
}

}  // namespace

aclnnStatus aclnnNormalTensorTensorGetWorkspaceSize(const aclTensor *mean, const aclTensor *std,
                                                    int64_t seed, int64_t offset, aclTensor *out,
                                                    uint64_t *workspaceSize,
                                                    aclOpExecutor **executor) {
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnNormalTensorTensor", workspaceSize, executor, [&] {
    CheckNormalTensorTensor({"mean", mean}, {"std", std}, {"out", out});
    return Work{0, [mean = *mean, std = *std, out = *out](void *) { StandIn({out}, {mean, std}); }};
  });
}

aclnnStatus aclnnNormalTensorTensor(void *workspace, uint64_t workspaceSize,
                                    aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnNormalTensorTensor", workspace, workspaceSize, executor, stream);
}
