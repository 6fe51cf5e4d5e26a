// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormReduceBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_batch_norm_backward_reduce.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBatchNormReduceBackward(const TensorParameter &gradOut, const TensorParameter &input,
                                  const TensorParameter &mean, const TensorParameter &invstd,
                                  const TensorParameter &weight, bool inputG, bool weightG,
                                  bool biasG, const TensorParameter &sumDy,
                                  const TensorParameter &sumDyXmu,
                                  const TensorParameter &gradWeight,
                                  const TensorParameter &gradBias) {
  RequireNotNull({gradOut, input, mean, invstd, weight});
  if (inputG) RequireNotNull({sumDy});
  if (inputG) RequireNotNull({sumDyXmu});
  if (weightG) RequireNotNull({gradWeight});
  if (biasG) RequireNotNull({gradBias});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOut, mean, invstd, weight, sumDy, sumDyXmu, gradWeight, gradBias},
                      input);
  RequirePublicFormat(
      {gradOut, input, mean, invstd, weight, sumDy, sumDyXmu, gradWeight, gradBias});
  RequireSameFormat({input}, gradOut);
  RequireRank({gradOut, input}, 2, 8);
  RequireRank({mean, invstd, weight, sumDy, sumDyXmu, gradWeight, gradBias}, 1, 1);
  RequireSameShape({gradOut}, input);
  Require(Extent(input, 1) > 0, "input has channels");
  RequireShape(mean, {Extent(input, 1)});
  RequireShape(invstd, {Extent(input, 1)});
  RequireShape(weight, {Extent(input, 1)});
  RequireShape(sumDy, {Extent(input, 1)});
  RequireShape(sumDyXmu, {Extent(input, 1)});
  RequireShape(gradWeight, {Extent(input, 1)});
  RequireShape(gradBias, {Extent(input, 1)});
}

}  // namespace

aclnnStatus aclnnBatchNormReduceBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclTensor *mean,
    const aclTensor *invstd, const aclTensor *weight, bool inputG, bool weightG, bool biasG,
    aclTensor *sumDy, aclTensor *sumDyXmu, aclTensor *gradWeight, aclTensor *gradBias,
    uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnBatchNormReduceBackward", workspaceSize, executor, [&] {
    CheckBatchNormReduceBackward({"gradOut", gradOut}, {"input", input}, {"mean", mean},
                                 {"invstd", invstd}, {"weight", weight}, inputG, weightG, biasG,
                                 {"sumDy", sumDy}, {"sumDyXmu", sumDyXmu},
                                 {"gradWeight", gradWeight}, {"gradBias", gradBias});
    aclTensor sumDyAbsent = Unwanted({0});
    if (sumDy == nullptr || !(inputG)) sumDy = &sumDyAbsent;
    aclTensor sumDyXmuAbsent = Unwanted({0});
    if (sumDyXmu == nullptr || !(inputG)) sumDyXmu = &sumDyXmuAbsent;
    aclTensor gradWeightAbsent = Unwanted({0});
    if (gradWeight == nullptr || !(weightG)) gradWeight = &gradWeightAbsent;
    aclTensor gradBiasAbsent = Unwanted({0});
    if (gradBias == nullptr || !(biasG)) gradBias = &gradBiasAbsent;
    return Work{0, [gradOut = *gradOut, input = *input, mean = *mean, invstd = *invstd,
                    weight = *weight, sumDy = *sumDy, sumDyXmu = *sumDyXmu,
                    gradWeight = *gradWeight, gradBias = *gradBias](void *) {
                  StandIn({sumDy, sumDyXmu, gradWeight, gradBias},
                          {gradOut, input, mean, invstd, weight});
                }};
  });
}

aclnnStatus aclnnBatchNormReduceBackward(void *workspace, uint64_t workspaceSize,
                                         aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnBatchNormReduceBackward", workspace, workspaceSize, executor, stream);
}
