// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnKlDivTargetBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_kl_div_target_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckKlDivTargetBackward(const TensorParameter &gradOutput, const TensorParameter &self,
                              const TensorParameter &target, int64_t reduction,
                              const TensorParameter &gradTarget) {
  RequireNotNull({gradOutput, self, target, gradTarget});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({target}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({gradOutput, self, gradTarget}, target);
  RequirePublicFormat({gradOutput, self, target, gradTarget});
  RequireRank({gradOutput, self, target, gradTarget}, 1, 8);
  RequireSameShape({gradTarget}, target);
  RequireBroadcastTo(gradOutput, self);
  RequireBroadcastTo(self, target);
  Require(0 <= reduction && reduction <= 3, "reduction is 0, 1, 2 or 3");
}

}  // namespace

aclnnStatus aclnnKlDivTargetBackwardGetWorkspaceSize(const aclTensor *gradOutput,
                                                     const aclTensor *self, const aclTensor *target,
                                                     int64_t reduction, bool logTarget,
                                                     aclTensor *gradTarget, uint64_t *workspaceSize,
                                                     aclOpExecutor **executor) {
  static_cast<void>(logTarget);
  return PlanOperator("aclnnKlDivTargetBackward", workspaceSize, executor, [&] {
    CheckKlDivTargetBackward({"gradOutput", gradOutput}, {"self", self}, {"target", target},
                             reduction, {"gradTarget", gradTarget});
    return Work{
        0, [gradOutput = *gradOutput, self = *self, target = *target, gradTarget = *gradTarget](
               void *) { StandIn({gradTarget}, {gradOutput, self, target}); }};
  });
}

aclnnStatus aclnnKlDivTargetBackward(void *workspace, uint64_t workspaceSize,
                                     aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnKlDivTargetBackward", workspace, workspaceSize, executor, stream);
}
