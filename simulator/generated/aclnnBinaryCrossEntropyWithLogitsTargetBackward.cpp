// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropyWithLogitsTargetBackward.yaml by `aclnn-cts
// generate`: edit the spec, not this file.
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBinaryCrossEntropyWithLogitsTargetBackward(
    const TensorParameter &gradOutput, const TensorParameter &self, const TensorParameter &target,
    const TensorParameter &weightOptional, const TensorParameter &posWeightOptional,
    int64_t reduction, const TensorParameter &gradTarget) {
  RequireNotNull({gradOutput, self, target, gradTarget});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({gradOutput, self, target, weightOptional, posWeightOptional, gradTarget},
                  {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequirePublicFormat({gradOutput, self, target, weightOptional, posWeightOptional, gradTarget});
  RequireRank({gradOutput, self, target, weightOptional, posWeightOptional, gradTarget}, 1, 8);
  RequireSameShape({target, gradTarget}, self);
  RequireBroadcastTo(gradOutput, self);
  RequireBroadcastTo(weightOptional, self);
  RequireBroadcastTo(posWeightOptional, self);
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
}

}  // namespace

aclnnStatus aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *target,
    const aclTensor *weightOptional, const aclTensor *posWeightOptional, int64_t reduction,
    aclTensor *gradTarget, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator(
      "aclnnBinaryCrossEntropyWithLogitsTargetBackward", workspaceSize, executor, [&] {
        CheckBinaryCrossEntropyWithLogitsTargetBackward(
            {"gradOutput", gradOutput}, {"self", self}, {"target", target},
            {"weightOptional", weightOptional}, {"posWeightOptional", posWeightOptional}, reduction,
            {"gradTarget", gradTarget});
        const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
        if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
        const aclTensor posWeightOptionalAbsent = Filled({0}, 1.0F);
        if (posWeightOptional == nullptr) posWeightOptional = &posWeightOptionalAbsent;
        return Work{0, [gradOutput = *gradOutput, self = *self, target = *target,
                        weightOptional = *weightOptional, posWeightOptional = *posWeightOptional,
                        gradTarget = *gradTarget](void *) {
                      StandIn({gradTarget},
                              {gradOutput, self, target, weightOptional, posWeightOptional});
                    }};
      });
}

aclnnStatus aclnnBinaryCrossEntropyWithLogitsTargetBackward(void *workspace, uint64_t workspaceSize,
                                                            aclOpExecutor *executor,
                                                            aclrtStream stream) {
  return LaunchOperator("aclnnBinaryCrossEntropyWithLogitsTargetBackward", workspace, workspaceSize,
                        executor, stream);
}
