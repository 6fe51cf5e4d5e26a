// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropyWithLogitsBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBinaryCrossEntropyWithLogitsBackward(const TensorParameter &gradOutput,
                                               const TensorParameter &self,
                                               const TensorParameter &target,
                                               const TensorParameter &weightOptional,
                                               const TensorParameter &posWeightOptional,
                                               int64_t reduction, const TensorParameter &out) {
  RequireNotNull({gradOutput, self, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({self}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOutput, target, weightOptional, posWeightOptional, out}, self);
  RequirePublicFormat({gradOutput, self, target, weightOptional, posWeightOptional, out});
  RequireRank({gradOutput, self, target, weightOptional, posWeightOptional, out}, 1, 8);
  RequireSameShape({target, out}, self);
  RequireBroadcastTo(gradOutput, self);
  RequireBroadcastTo(weightOptional, self);
  RequireBroadcastTo(posWeightOptional, self);
  RequireContiguous({out});
  Require(0 <= reduction && reduction <= 2, "reduction is 0, 1 or 2");
}

}  // namespace

aclnnStatus aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize(
    const aclTensor *gradOutput, const aclTensor *self, const aclTensor *target,
    const aclTensor *weightOptional, const aclTensor *posWeightOptional, int64_t reduction,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnBinaryCrossEntropyWithLogitsBackward", workspaceSize, executor, [&] {
    CheckBinaryCrossEntropyWithLogitsBackward(
        {"gradOutput", gradOutput}, {"self", self}, {"target", target},
        {"weightOptional", weightOptional}, {"posWeightOptional", posWeightOptional}, reduction,
        {"out", out});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor posWeightOptionalAbsent = Filled({0}, 1.0F);
    if (posWeightOptional == nullptr) posWeightOptional = &posWeightOptionalAbsent;
    return Work{0, [gradOutput = *gradOutput, self = *self, target = *target,
                    weightOptional = *weightOptional, posWeightOptional = *posWeightOptional,
                    out = *out](void *) {
                  StandIn({out}, {gradOutput, self, target, weightOptional, posWeightOptional});
                }};
  });
}

aclnnStatus aclnnBinaryCrossEntropyWithLogitsBackward(void *workspace, uint64_t workspaceSize,
                                                      aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnBinaryCrossEntropyWithLogitsBackward", workspace, workspaceSize,
                        executor, stream);
}
