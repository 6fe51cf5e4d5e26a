// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNormalTensorFloat.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_normal_out.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckNormalTensorFloat(const TensorParameter &mean, const TensorParameter &out) {
  RequireNotNull({mean, out});
  RequireProduct({Product::kAscend950});
  RequireDataType({mean}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireSameDataType({out}, mean);
  RequirePublicFormat({mean, out});
  RequireRank({mean, out}, 0, 8);
  RequireSameShape({out}, mean);
}

}  // namespace

aclnnStatus aclnnNormalTensorFloatGetWorkspaceSize(const aclTensor *mean, float std, int64_t seed,
                                                   int64_t offset, aclTensor *out,
                                                   uint64_t *workspaceSize,
                                                   aclOpExecutor **executor) {
  static_cast<void>(std);
  static_cast<void>(seed);
  static_cast<void>(offset);
  return PlanOperator("aclnnNormalTensorFloat", workspaceSize, executor, [&] {
    CheckNormalTensorFloat({"mean", mean}, {"out", out});
    return Work{0, [mean = *mean, out = *out](void *) { StandIn({out}, {mean}); }};
  });
}

aclnnStatus aclnnNormalTensorFloat(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnNormalTensorFloat", workspace, workspaceSize, executor, stream);
}
