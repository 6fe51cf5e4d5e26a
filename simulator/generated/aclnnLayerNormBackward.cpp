// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLayerNormBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_layer_norm_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckLayerNormBackward(const TensorParameter &gradOut, const TensorParameter &input,
                            const IntArrayParameter &normalizedShape, const TensorParameter &mean,
                            const TensorParameter &rstd, const TensorParameter &weightOptional,
                            const TensorParameter &biasOptional,
                            const IntArrayParameter &outputMask,
                            const TensorParameter &gradInputOut,
                            const TensorParameter &gradWeightOut,
                            const TensorParameter &gradBiasOut) {
  RequireNotNull({gradOut, input, mean, rstd, weightOptional}, {normalizedShape, outputMask});
  if (Number(Numbers(outputMask), 0)) RequireNotNull({gradInputOut});
  if (Number(Numbers(outputMask), 1)) RequireNotNull({gradWeightOut});
  if (Number(Numbers(outputMask), 2)) RequireNotNull({gradBiasOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({gradOut, gradInputOut}, input);
  RequireSameDataType({rstd}, mean);
  RequireSameDataType({biasOptional, gradWeightOut, gradBiasOut}, weightOptional);
  RequireSameDataType({mean}, input, {ACL_FLOAT});
  RequireSameDataType({weightOptional}, input, {ACL_FLOAT});
  RequirePublicFormat({gradOut, input, mean, rstd, weightOptional, biasOptional, gradInputOut,
                       gradWeightOut, gradBiasOut});
  RequireRank({gradOut, input, mean, rstd, weightOptional, biasOptional, gradInputOut,
               gradWeightOut, gradBiasOut},
              1, 8);
  RequireSameShape({gradOut, gradInputOut}, input);
  RequireSameShape({rstd}, mean);
  Require(Length(Numbers(normalizedShape)) >= 1, "normalizedShape has one number at least");
  Require(Trailing(input->shape, Length(Numbers(normalizedShape))) == Numbers(normalizedShape),
          "normalizedShape has the last extents of input");
  Require(Length(Numbers(outputMask)) == 3, "outputMask has three elements");
  RequireShape(mean, ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
  RequireShape(weightOptional, Numbers(normalizedShape));
  RequireShape(biasOptional, Numbers(normalizedShape));
  RequireShape(gradWeightOut, Numbers(normalizedShape));
  RequireShape(gradBiasOut, Numbers(normalizedShape));
}

}  // namespace

aclnnStatus aclnnLayerNormBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclIntArray *normalizedShape,
    const aclTensor *mean, const aclTensor *rstd, const aclTensor *weightOptional,
    const aclTensor *biasOptional, const aclBoolArray *outputMask, aclTensor *gradInputOut,
    aclTensor *gradWeightOut, aclTensor *gradBiasOut, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnLayerNormBackward", workspaceSize, executor, [&] {
    CheckLayerNormBackward({"gradOut", gradOut}, {"input", input},
                           {"normalizedShape", normalizedShape}, {"mean", mean}, {"rstd", rstd},
                           {"weightOptional", weightOptional}, {"biasOptional", biasOptional},
                           {"outputMask", outputMask}, {"gradInputOut", gradInputOut},
                           {"gradWeightOut", gradWeightOut}, {"gradBiasOut", gradBiasOut});
    const aclTensor biasOptionalAbsent = Filled({0}, 0.0F);
    if (biasOptional == nullptr) biasOptional = &biasOptionalAbsent;
    aclTensor gradInputOutAbsent = Unwanted({0});
    if (gradInputOut == nullptr || !(Number(Numbers(outputMask), 0)))
      gradInputOut = &gradInputOutAbsent;
    aclTensor gradWeightOutAbsent = Unwanted({0});
    if (gradWeightOut == nullptr || !(Number(Numbers(outputMask), 1)))
      gradWeightOut = &gradWeightOutAbsent;
    aclTensor gradBiasOutAbsent = Unwanted({0});
    if (gradBiasOut == nullptr || !(Number(Numbers(outputMask), 2)))
      gradBiasOut = &gradBiasOutAbsent;
    return Work{0, [gradOut = *gradOut, input = *input, mean = *mean, rstd = *rstd,
                    weightOptional = *weightOptional, biasOptional = *biasOptional,
                    gradInputOut = *gradInputOut, gradWeightOut = *gradWeightOut,
                    gradBiasOut = *gradBiasOut](void *) {
                  StandIn({gradInputOut, gradWeightOut, gradBiasOut},
                          {gradOut, input, mean, rstd, weightOptional, biasOptional});
                }};
  });
}

aclnnStatus aclnnLayerNormBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnLayerNormBackward", workspace, workspaceSize, executor, stream);
}
