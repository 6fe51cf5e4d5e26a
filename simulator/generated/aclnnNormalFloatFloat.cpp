// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNormalFloatFloat.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_normal_out.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckNormalFloatFloat(const TensorParameter &out) {
  RequireNotNull({out});
  RequireProduct({Product::kAscend950});
  RequireDataType({out}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequirePublicFormat({out});
  RequireRank({out}, 0, 8);
}

}  // namespace

aclnnStatus aclnnNormalFloatFloatGetWorkspaceSize(float mean, float std, int64_t seed,
                                                  int64_t offset, aclTensor *out,
                                                  uint64_t *workspaceSize,
                                                  aclOpExecutor **executor) {
  static_cast<void>(mean);
  static_cast<void>(std);
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnNormalFloatFloat", workspaceSize, executor, [&] {
    CheckNormalFloatFloat({"out", out});
    return Work{0, [out = *out](void *) { StandIn({out}, {}); }};
  });
}

aclnnStatus aclnnNormalFloatFloat(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnNormalFloatFloat", workspace, workspaceSize, executor, stream);
}
