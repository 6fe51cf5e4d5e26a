// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutV3Grad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_dropout_v3_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckDropoutV3Grad(const TensorParameter &gradY, const TensorParameter &mask, double scale,
                        const TensorParameter &gradX) {
  RequireNotNull({gradY, mask, gradX});
  RequireProduct({Product::kAscend950});
  RequireDataType({gradY, gradX}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({mask}, {ACL_UINT8});
  RequirePublicFormat({gradY, mask, gradX});
  RequireRank({gradY, gradX}, 0, 8);
  RequireRank({mask}, 1, 1);
  RequireSameShape({gradX}, gradY);
  Require((scale == 0) || (scale >= 1), "scale is 0 or at least 1");
  RequireShape(mask, {(CeilDivide(ElementCount(gradY->shape), 128) * 16)});
}

}  // namespace

aclnnStatus aclnnDropoutV3GradGetWorkspaceSize(const aclTensor *gradY, const aclTensor *mask,
                                               double scale, aclTensor *gradX,
                                               uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnDropoutV3Grad", workspaceSize, executor, [&] {
    CheckDropoutV3Grad({"gradY", gradY}, {"mask", mask}, scale, {"gradX", gradX});
    return Work{0, [gradY = *gradY, mask = *mask, gradX = *gradX](void *) {
                  StandIn({gradX}, {gradY, mask});
                }};
  });
}

aclnnStatus aclnnDropoutV3Grad(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnDropoutV3Grad", workspace, workspaceSize, executor, stream);
}
