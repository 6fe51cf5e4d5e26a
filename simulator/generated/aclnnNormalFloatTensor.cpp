// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNormalFloatTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_normal_out.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckNormalFloatTensor(const TensorParameter &std, const TensorParameter &out) {
  RequireNotNull({std, out});
  RequireProduct({Product::kAscend950});
  RequireDataType({std}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireSameDataType({out}, std);
  RequirePublicFormat({std, out});
  RequireRank({std, out}, 0, 8);
  RequireSameShape({out}, std);
  RequireNotEmpty({std, out});
}

}  // namespace

aclnnStatus aclnnNormalFloatTensorGetWorkspaceSize(float mean, const aclTensor *std, int64_t seed,
                                                   int64_t offset, aclTensor *out,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  static_cast<void>(mean);
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnNormalFloatTensor", workspaceSize, executor, [&] {
    CheckNormalFloatTensor({"std", std}, {"out", out});
    return Work{0, [std = *std, out = *out](void *) { StandIn({out}, {std}); }};
  });
}

aclnnStatus aclnnNormalFloatTensor(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnNormalFloatTensor", workspace, workspaceSize, executor, stream);
}
