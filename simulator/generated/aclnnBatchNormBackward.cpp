// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_batch_norm_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckBatchNormBackward(const TensorParameter &gradOut, const TensorParameter &input,
                            const TensorParameter &weight, const TensorParameter &runningMean,
                            const TensorParameter &runningVar, const TensorParameter &saveMean,
                            const TensorParameter &saveInvstd, bool training,
                            const IntArrayParameter &outputMask, const TensorParameter &gradInput,
                            const TensorParameter &gradWeight, const TensorParameter &gradBias) {
  RequireNotNull({gradOut, input}, {outputMask});
  if (Number(Numbers(outputMask), 0)) RequireNotNull({gradInput});
  if (Number(Numbers(outputMask), 1)) RequireNotNull({gradWeight});
  if (Number(Numbers(outputMask), 2)) RequireNotNull({gradBias});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasTraining});
  RequireDataType({gradOut}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({gradOut}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({input, gradInput}, gradOut);
  RequireSameDataType({runningVar}, runningMean);
  RequireSameDataType({saveInvstd}, saveMean);
  RequireSameDataType({gradBias}, gradWeight);
  RequireSameDataType({weight}, gradOut, {ACL_FLOAT});
  if (IsOn({Product::kAtlasA3})) RequireSameDataType({weight}, gradOut, {});
  if (IsOn({Product::kAtlasA2})) RequireSameDataType({weight}, gradOut, {});
  if (IsOn({Product::kAtlasTraining})) RequireSameDataType({weight}, gradOut, {});
  RequireSameDataType({runningMean}, gradOut, {ACL_FLOAT});
  if (IsOn({Product::kAtlasA3})) RequireSameDataType({runningMean}, gradOut, {});
  if (IsOn({Product::kAtlasA2})) RequireSameDataType({runningMean}, gradOut, {});
  if (IsOn({Product::kAtlasTraining})) RequireSameDataType({runningMean}, gradOut, {});
  RequireSameDataType({saveMean}, gradOut, {ACL_FLOAT});
  if (IsOn({Product::kAtlasA3})) RequireSameDataType({saveMean}, gradOut, {});
  if (IsOn({Product::kAtlasA2})) RequireSameDataType({saveMean}, gradOut, {});
  if (IsOn({Product::kAtlasTraining})) RequireSameDataType({saveMean}, gradOut, {});
  RequireSameDataType({gradWeight}, weight, {ACL_FLOAT});
  if (IsOn({Product::kAtlasA3})) RequireSameDataType({gradWeight}, weight, {});
  if (IsOn({Product::kAtlasA2})) RequireSameDataType({gradWeight}, weight, {});
  if (IsOn({Product::kAtlasTraining})) RequireSameDataType({gradWeight}, weight, {});
  RequireFormat({gradOut, input, gradInput},
                {ACL_FORMAT_NC, ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_NCDHW,
                 ACL_FORMAT_NDHWC, ACL_FORMAT_ND});
  RequirePublicFormat(
      {weight, runningMean, runningVar, saveMean, saveInvstd, gradWeight, gradBias});
  RequireSameFormat({input, gradInput}, gradOut);
  RequireRank({gradOut, input, gradInput}, 2, 8);
  RequireRank({weight, runningMean, runningVar, saveMean, saveInvstd, gradWeight, gradBias}, 1, 1);
  RequireSameShape({input, gradInput}, gradOut);
  Require(Length(Numbers(outputMask)) == 3, "outputMask has three elements");
  Require((training ? (saveMean.tensor != nullptr) && (saveInvstd.tensor != nullptr)
                    : (runningMean.tensor != nullptr) && (runningVar.tensor != nullptr)),
          "the statistics that the formulas use are given, those that were saved in training, else "
          "the running ones");
  RequireOneShape(saveMean, saveMean.tensor == nullptr ||
                                ((true) && saveMean->shape == Shape{Extent(gradOut, 1)}) ||
                                ((!(training)) && saveMean->shape == Shape{0}));
  RequireOneShape(saveInvstd, saveInvstd.tensor == nullptr ||
                                  ((true) && saveInvstd->shape == Shape{Extent(gradOut, 1)}) ||
                                  ((!(training)) && saveInvstd->shape == Shape{0}));
  RequireShape(weight, {Extent(gradOut, 1)});
  RequireShape(runningMean, {Extent(gradOut, 1)});
  RequireShape(runningVar, {Extent(gradOut, 1)});
  RequireShape(gradWeight, {Extent(gradOut, 1)});
  RequireShape(gradBias, {Extent(gradOut, 1)});
}

}  // namespace

aclnnStatus aclnnBatchNormBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclTensor *weight,
    const aclTensor *runningMean, const aclTensor *runningVar, const aclTensor *saveMean,
    const aclTensor *saveInvstd, bool training, double eps, const aclBoolArray *outputMask,
    aclTensor *gradInput, aclTensor *gradWeight, aclTensor *gradBias, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  static_cast<void>(eps);
  return PlanOperator("aclnnBatchNormBackward", workspaceSize, executor, [&] {
    CheckBatchNormBackward({"gradOut", gradOut}, {"input", input}, {"weight", weight},
                           {"runningMean", runningMean}, {"runningVar", runningVar},
                           {"saveMean", saveMean}, {"saveInvstd", saveInvstd}, training,
                           {"outputMask", outputMask}, {"gradInput", gradInput},
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

aclnnStatus aclnnBatchNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnBatchNormBackward", workspace, workspaceSize, executor, stream);
}
