// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFastBatchNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_fast_batch_norm_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckFastBatchNormBackward(const TensorParameter &gradOut, const TensorParameter &input,
                                const TensorParameter &weight, const TensorParameter &runningMean,
                                const TensorParameter &runningVar, const TensorParameter &saveMean,
                                const TensorParameter &saveInvstd, bool training,
                                const IntArrayParameter &outputMask, int version,
                                const TensorParameter &gradInput, const TensorParameter &gradWeight,
                                const TensorParameter &gradBias) {
  RequireNotNull({gradOut, input}, {outputMask});
  if (Number(Numbers(outputMask), 0)) RequireNotNull({gradInput});
  if (Number(Numbers(outputMask), 1)) RequireNotNull({gradWeight});
  if (Number(Numbers(outputMask), 2)) RequireNotNull({gradBias});
  RequireProduct({Product::kAtlasA2});
  RequireDataType({gradOut}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({input, weight, runningMean, runningVar, saveMean, saveInvstd, gradInput,
                       gradWeight, gradBias},
                      gradOut);
  RequireFormat({gradOut, input, gradInput},
                {ACL_FORMAT_NC, ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW, ACL_FORMAT_ND});
  RequirePublicFormat(
      {weight, runningMean, runningVar, saveMean, saveInvstd, gradWeight, gradBias});
  RequireSameFormat({input, gradInput}, gradOut);
  RequireRank({gradOut, input, gradInput}, 2, 8);
  RequireRank({weight, runningMean, runningVar, saveMean, saveInvstd, gradWeight, gradBias}, 1, 1);
  RequireSameShape({input, gradInput}, gradOut);
  Require(Length(Numbers(outputMask)) == 3, "outputMask has three elements");
  Require((version == 0) || (version == 1), "version is 0 or 1");
  Require((training ? (saveMean.tensor != nullptr) && (saveInvstd.tensor != nullptr)
                    : (runningMean.tensor != nullptr) && (runningVar.tensor != nullptr)),
          "the statistics that the formulas use are given, those that were saved in training, else "
          "the running ones");
  RequireShape(weight, {Extent(gradOut, 1)});
  RequireShape(runningMean, {Extent(gradOut, 1)});
  RequireShape(runningVar, {Extent(gradOut, 1)});
  RequireShape(saveMean, {Extent(gradOut, 1)});
  RequireShape(saveInvstd, {Extent(gradOut, 1)});
  RequireShape(gradWeight, {Extent(gradOut, 1)});
  RequireShape(gradBias, {Extent(gradOut, 1)});
}

}  // namespace

aclnnStatus aclnnFastBatchNormBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclTensor *weight,
    const aclTensor *runningMean, const aclTensor *runningVar, const aclTensor *saveMean,
    const aclTensor *saveInvstd, bool training, double eps, const aclBoolArray *outputMask,
    int version, aclTensor *gradInput, aclTensor *gradWeight, aclTensor *gradBias,
    uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(eps);
  return PlanOperator("aclnnFastBatchNormBackward", workspaceSize, executor, [&] {
    CheckFastBatchNormBackward({"gradOut", gradOut}, {"input", input}, {"weight", weight},
                               {"runningMean", runningMean}, {"runningVar", runningVar},
                               {"saveMean", saveMean}, {"saveInvstd", saveInvstd}, training,
                               {"outputMask", outputMask}, version, {"gradInput", gradInput},
                               {"gradWeight", gradWeight}, {"gradBias", gradBias});
    const aclTensor weightAbsent = Filled({0}, 1.0F);
    if (weight == nullptr) weight = &weightAbsent;
    const aclTensor runningMeanAbsent = Filled({0}, 0.0F);
    if (runningMean == nullptr) runningMean = &runningMeanAbsent;
    const aclTensor runningVarAbsent = Filled({0}, 1.0F);
    if (runningVar == nullptr) runningVar = &runningVarAbsent;
    const aclTensor saveMeanAbsent = Filled({0}, 0.0F);
    if (saveMean == nullptr) saveMean = &saveMeanAbsent;
    const aclTensor saveInvstdAbsent = Filled({0}, 1.0F);
    if (saveInvstd == nullptr) saveInvstd = &saveInvstdAbsent;
    aclTensor gradInputAbsent = Unwanted({0});
    if (gradInput == nullptr || !(Number(Numbers(outputMask), 0))) gradInput = &gradInputAbsent;
    aclTensor gradWeightAbsent = Unwanted({0});
    if (gradWeight == nullptr || !(Number(Numbers(outputMask), 1))) gradWeight = &gradWeightAbsent;
    aclTensor gradBiasAbsent = Unwanted({0});
    if (gradBias == nullptr || !(Number(Numbers(outputMask), 2))) gradBias = &gradBiasAbsent;
    return Work{0,
                [gradOut = *gradOut, input = *input, weight = *weight, runningMean = *runningMean,
                 runningVar = *runningVar, saveMean = *saveMean, saveInvstd = *saveInvstd,
                 gradInput = *gradInput, gradWeight = *gradWeight, gradBias = *gradBias](void *) {
                  StandIn({gradInput, gradWeight, gradBias},
                          {gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd});
                }};
  });
}

aclnnStatus aclnnFastBatchNormBackward(void *workspace, uint64_t workspaceSize,
                                       aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnFastBatchNormBackward", workspace, workspaceSize, executor, stream);
}
