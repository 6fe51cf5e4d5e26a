// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLayerNormWithImplMode.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/layer_norm.h, not this file.
#include "aclnnop/aclnn_layer_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/layer_norm.h"

using namespace simulator;

namespace {

void CheckLayerNormWithImplMode(const TensorParameter &input,
                                const IntArrayParameter &normalizedShape,
                                const TensorParameter &weightOptional,
                                const TensorParameter &biasOptional, const TensorParameter &out,
                                const TensorParameter &meanOutOptional,
                                const TensorParameter &rstdOutOptional, int32_t implMode) {
  RequireNotNull({input, out}, {normalizedShape});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlas200I500A2, Product::kAtlasTraining});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlas200I500A2);
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasTraining);
  RequireSameDataType({biasOptional}, weightOptional);
  RequireSameDataType({out, meanOutOptional, rstdOutOptional}, input);
  RequireSameDataType({weightOptional}, input, {ACL_FLOAT});
  RequirePublicFormat({input, weightOptional, biasOptional, out, meanOutOptional, rstdOutOptional});
  RequireRank({input, weightOptional, biasOptional, out, meanOutOptional, rstdOutOptional}, 1, 8);
  RequireSameShape({out}, input);
  Require(Length(Numbers(normalizedShape)) >= 1, "normalizedShape has one number at least");
  Require(Trailing(input->shape, Length(Numbers(normalizedShape))) == Numbers(normalizedShape),
          "normalizedShape has the last extents of input");
  Require(0 <= implMode && implMode <= 2, "implMode is 0, 1 or 2");
  Require((implMode != 2) ||
              (Digits(input->dataType) == Digits(Either(weightOptional, input)->dataType) &&
               Digits(Either(weightOptional, input)->dataType) ==
                   Digits(Either(biasOptional, Either(weightOptional, input))->dataType) &&
               Digits(Either(biasOptional, Either(weightOptional, input))->dataType) == 11),
          "in mode 2 all inputs are float16");
  RequireShape(meanOutOptional,
               ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
  RequireShape(rstdOutOptional,
               ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
  RequireShape(weightOptional, Numbers(normalizedShape));
  RequireShape(biasOptional, Numbers(normalizedShape));
}

}  // namespace

aclnnStatus aclnnLayerNormWithImplModeGetWorkspaceSize(
    const aclTensor *input, const aclIntArray *normalizedShape, const aclTensor *weightOptional,
    const aclTensor *biasOptional, double eps, aclTensor *out, aclTensor *meanOutOptional,
    aclTensor *rstdOutOptional, int32_t implMode, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnLayerNormWithImplMode", workspaceSize, executor, [&] {
    CheckLayerNormWithImplMode({"input", input}, {"normalizedShape", normalizedShape},
                               {"weightOptional", weightOptional}, {"biasOptional", biasOptional},
                               {"out", out}, {"meanOutOptional", meanOutOptional},
                               {"rstdOutOptional", rstdOutOptional}, implMode);
    const aclTensor weightOptionalAbsent = Filled(Numbers(normalizedShape), 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor biasOptionalAbsent = Filled(Numbers(normalizedShape), 0.0F);
    if (biasOptional == nullptr) biasOptional = &biasOptionalAbsent;
    aclTensor meanOutOptionalAbsent =
        Unwanted(ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
    if (meanOutOptional == nullptr) meanOutOptional = &meanOutOptionalAbsent;
    aclTensor rstdOutOptionalAbsent =
        Unwanted(ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
    if (rstdOutOptional == nullptr) rstdOutOptional = &rstdOutOptionalAbsent;
    return Work{
        0, [input = *input, weightOptional = *weightOptional, biasOptional = *biasOptional,
            out = *out, meanOutOptional = *meanOutOptional, rstdOutOptional = *rstdOutOptional,
            normalizedShape = Numbers(normalizedShape), eps = eps, implMode = implMode](void *) {
          LayerNorm(input, weightOptional, biasOptional, out, meanOutOptional, rstdOutOptional,
                    normalizedShape, eps, implMode);
        }};
  });
}

aclnnStatus aclnnLayerNormWithImplMode(void *workspace, uint64_t workspaceSize,
                                       aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnLayerNormWithImplMode", workspace, workspaceSize, executor, stream);
}
