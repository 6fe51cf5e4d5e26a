// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFastLayerNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_layer_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckFastLayerNorm(const TensorParameter &input, const IntArrayParameter &normalizedShape,
                        const TensorParameter &weightOptional, const TensorParameter &biasOptional,
                        const TensorParameter &out, const TensorParameter &meanOutOptional,
                        const TensorParameter &rstdOutOptional) {
  RequireNotNull({input, out}, {normalizedShape});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({biasOptional}, weightOptional);
  RequireSameDataType({out, meanOutOptional, rstdOutOptional}, input);
  RequireSameDataType({weightOptional}, input, {ACL_FLOAT});
  RequirePublicFormat({input, weightOptional, biasOptional, out, meanOutOptional, rstdOutOptional});
  RequireRank({input, weightOptional, biasOptional, out, meanOutOptional, rstdOutOptional}, 1, 8);
  RequireSameShape({out}, input);
  Require(Length(Numbers(normalizedShape)) >= 1, "normalizedShape has one number at least");
  Require(Trailing(input->shape, Length(Numbers(normalizedShape))) == Numbers(normalizedShape),
          "normalizedShape has the last extents of input");
  Require(ElementCount(Numbers(normalizedShape)) <= 583705600,
          "a row has 583705600 elements at most");
  RequireShape(meanOutOptional,
               ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
  RequireShape(rstdOutOptional,
               ResizedOnward(input->shape, -(Length(Numbers(normalizedShape))), 1));
  RequireShape(weightOptional, Numbers(normalizedShape));
  RequireShape(biasOptional, Numbers(normalizedShape));
}

}  // namespace

aclnnStatus aclnnFastLayerNormGetWorkspaceSize(
    const aclTensor *input, const aclIntArray *normalizedShape, const aclTensor *weightOptional,
    const aclTensor *biasOptional, double eps, aclTensor *out, aclTensor *meanOutOptional,
    aclTensor *rstdOutOptional, uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(eps);
  return PlanOperator("aclnnFastLayerNorm", workspaceSize, executor, [&] {
    CheckFastLayerNorm({"input", input}, {"normalizedShape", normalizedShape},
                       {"weightOptional", weightOptional}, {"biasOptional", biasOptional},
                       {"out", out}, {"meanOutOptional", meanOutOptional},
                       {"rstdOutOptional", rstdOutOptional});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor biasOptionalAbsent = Filled({0}, 0.0F);
    if (biasOptional == nullptr) biasOptional = &biasOptionalAbsent;
    aclTensor meanOutOptionalAbsent = Unwanted({0});
    if (meanOutOptional == nullptr) meanOutOptional = &meanOutOptionalAbsent;
    aclTensor rstdOutOptionalAbsent = Unwanted({0});
    if (rstdOutOptional == nullptr) rstdOutOptional = &rstdOutOptionalAbsent;
    return Work{
        0,
        [input = *input, weightOptional = *weightOptional, biasOptional = *biasOptional, out = *out,
         meanOutOptional = *meanOutOptional, rstdOutOptional = *rstdOutOptional](void *) {
          StandIn({out, meanOutOptional, rstdOutOptional}, {input, weightOptional, biasOptional});
        }};
  });
}

aclnnStatus aclnnFastLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                               aclrtStream stream) {
  return LaunchOperator("aclnnFastLayerNorm", workspace, workspaceSize, executor, stream);
}
