// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaLayerNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_ada_layer_norm_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaLayerNormBackward(
    const TensorParameter &gradOut, const TensorParameter &input,
    const IntArrayParameter &normalizedShape, const TensorParameter &rstd,
    const TensorParameter &mean, const TensorParameter &scale, const TensorParameter &shift,
    const TensorParameter &weightOptional, const TensorParameter &biasOptional,
    const TensorParameter &gradInputOut, const TensorParameter &gradScaleOut,
    const TensorParameter &gradShiftOut, const TensorParameter &gradWeightOut,
    const TensorParameter &gradBiasOut) {
  RequireNotNull({gradOut, input, rstd, mean, scale, shift}, {normalizedShape});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({gradOut}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({input, rstd, mean, scale, shift}, gradOut);
  RequireSameDataType({biasOptional, gradWeightOut, gradBiasOut}, weightOptional);
  RequireSameDataType({gradInputOut, gradScaleOut, gradShiftOut}, input);
  RequireSameDataType({weightOptional}, input, {ACL_FLOAT});
  RequirePublicFormat({gradOut, input, rstd, mean, scale, shift, weightOptional, biasOptional,
                       gradInputOut, gradScaleOut, gradShiftOut, gradWeightOut, gradBiasOut});
  RequireRank({gradOut, input, rstd, mean, gradInputOut}, 2, 8);
  RequireRank({scale, shift, gradScaleOut, gradShiftOut}, 1, 8);
  RequireRank({weightOptional, biasOptional, gradWeightOut, gradBiasOut}, 1, 1);
  RequireSameShape({gradOut, gradInputOut}, input);
  RequireSameShape({mean}, rstd);
  RequireSameShape({shift, gradScaleOut}, scale);
  RequireSameShape({gradShiftOut}, shift);
  Require(Numbers(normalizedShape) == Trailing(input->shape, 1),
          "normalizedShape has the last extent of input alone");
  RequireShape(rstd, Resized(input->shape, -(1), 1));
  RequireShape(scale, Resized(input->shape, -(2), 1));
  RequireShape(weightOptional, {Extent(input, -(1))});
  RequireShape(biasOptional, {Extent(input, -(1))});
  RequireShape(gradWeightOut, {Extent(input, -(1))});
  RequireShape(gradBiasOut, {Extent(input, -(1))});
}

}  // namespace

aclnnStatus aclnnAdaLayerNormBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclIntArray *normalizedShape,
    const aclTensor *rstd, const aclTensor *mean, const aclTensor *scale, const aclTensor *shift,
    const aclTensor *weightOptional, const aclTensor *biasOptional, aclTensor *gradInputOut,
    aclTensor *gradScaleOut, aclTensor *gradShiftOut, aclTensor *gradWeightOut,
    aclTensor *gradBiasOut, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnAdaLayerNormBackward", workspaceSize, executor, [&] {
    CheckAdaLayerNormBackward({"gradOut", gradOut}, {"input", input},
                              {"normalizedShape", normalizedShape}, {"rstd", rstd}, {"mean", mean},
                              {"scale", scale}, {"shift", shift},
                              {"weightOptional", weightOptional}, {"biasOptional", biasOptional},
                              {"gradInputOut", gradInputOut}, {"gradScaleOut", gradScaleOut},
                              {"gradShiftOut", gradShiftOut}, {"gradWeightOut", gradWeightOut},
                              {"gradBiasOut", gradBiasOut});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor biasOptionalAbsent = Filled({0}, 0.0F);
    if (biasOptional == nullptr) biasOptional = &biasOptionalAbsent;
    aclTensor gradInputOutAbsent = Unwanted({0});
    if (gradInputOut == nullptr) gradInputOut = &gradInputOutAbsent;
    aclTensor gradScaleOutAbsent = Unwanted({0});
    if (gradScaleOut == nullptr) gradScaleOut = &gradScaleOutAbsent;
    aclTensor gradShiftOutAbsent = Unwanted({0});
    if (gradShiftOut == nullptr) gradShiftOut = &gradShiftOutAbsent;
    aclTensor gradWeightOutAbsent = Unwanted({0});
    if (gradWeightOut == nullptr) gradWeightOut = &gradWeightOutAbsent;
    aclTensor gradBiasOutAbsent = Unwanted({0});
    if (gradBiasOut == nullptr) gradBiasOut = &gradBiasOutAbsent;
    return Work{0, [gradOut = *gradOut, input = *input, rstd = *rstd, mean = *mean, scale = *scale,
                    shift = *shift, weightOptional = *weightOptional, biasOptional = *biasOptional,
                    gradInputOut = *gradInputOut, gradScaleOut = *gradScaleOut,
                    gradShiftOut = *gradShiftOut, gradWeightOut = *gradWeightOut,
                    gradBiasOut = *gradBiasOut](void *) {
                  StandIn({gradInputOut, gradScaleOut, gradShiftOut, gradWeightOut, gradBiasOut},
                          {gradOut, input, rstd, mean, scale, shift, weightOptional, biasOptional});
                }};
  });
}

aclnnStatus aclnnAdaLayerNormBackward(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnAdaLayerNormBackward", workspace, workspaceSize, executor, stream);
}
