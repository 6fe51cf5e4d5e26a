// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLayerNorm.yaml by `aclnn-cts generate`:
// edit the spec, or the kernel in operators/layer_norm.h, not this file.
#include "aclnnop/aclnn_layer_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "operators/layer_norm.h"

using namespace simulator;

namespace {

void CheckLayerNorm(const TensorParameter &input, const IntArrayParameter &normalizedShape,
                    const TensorParameter &weightOptional, const TensorParameter &biasOptional,
                    const TensorParameter &out, const TensorParameter &meanOutOptional,
                    const TensorParameter &rstdOutOptional) {
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
  RequireShape(meanOutOptional,
               ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
  RequireShape(rstdOutOptional,
               ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
  RequireShape(weightOptional, Numbers(normalizedShape));
  RequireShape(biasOptional, Numbers(normalizedShape));
}

}  // namespace

aclnnStatus aclnnLayerNormGetWorkspaceSize(
    const aclTensor *input, const aclIntArray *normalizedShape, const aclTensor *weightOptional,
    const aclTensor *biasOptional, double eps, aclTensor *out, aclTensor *meanOutOptional,
    aclTensor *rstdOutOptional, uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnLayerNorm", workspaceSize, executor, [&] {
    CheckLayerNorm({"input", input}, {"normalizedShape", normalizedShape},
                   {"weightOptional", weightOptional}, {"biasOptional", biasOptional}, {"out", out},
                   {"meanOutOptional", meanOutOptional}, {"rstdOutOptional", rstdOutOptional});
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
    return Work{0,
                [input = *input, weightOptional = *weightOptional, biasOptional = *biasOptional,
                 out = *out, meanOutOptional = *meanOutOptional, rstdOutOptional = *rstdOutOptional,
                 normalizedShape = Numbers(normalizedShape), eps = eps](void *) {
                  LayerNorm(input, weightOptional, biasOptional, out, meanOutOptional,
                            rstdOutOptional, normalizedShape, eps);
                }};
  });
}

aclnnStatus aclnnLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnLayerNorm", workspace, workspaceSize, executor, stream);
}
