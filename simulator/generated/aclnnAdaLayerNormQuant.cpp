// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaLayerNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_ada_layer_norm_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaLayerNormQuant(const TensorParameter &x, const TensorParameter &scale,
                            const TensorParameter &shift, const TensorParameter &weightOptional,
                            const TensorParameter &biasOptional,
                            const TensorParameter &smoothScalesOptional, char *quantMode,
                            const TensorParameter &out, const TensorParameter &quantScale,
                            const TensorParameter &quantOffsetOptional) {
  RequireNotNull({x, scale, shift, out, quantScale});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x, quantOffsetOptional}, {ACL_FLOAT16, ACL_BF16});
  RequireDataType({out}, {ACL_INT8});
  RequireDataType({quantScale}, {ACL_FLOAT});
  RequireSameDataType({scale, shift, weightOptional, biasOptional, smoothScalesOptional}, x);
  RequirePublicFormat({x, scale, shift, weightOptional, biasOptional, smoothScalesOptional, out,
                       quantScale, quantOffsetOptional});
  RequireRank({x, out}, 2, 8);
  RequireRank({scale, shift}, 1, 8);
  RequireRank({weightOptional, biasOptional, smoothScalesOptional}, 1, 1);
  RequireRank({quantScale, quantOffsetOptional}, 1, 7);
  RequireSameShape({shift}, scale);
  RequireSameShape({out}, x);
  RequireSameShape({quantOffsetOptional}, quantScale);
  RequireNotEmpty(
      {x, scale, shift, weightOptional, biasOptional, smoothScalesOptional, out, quantScale});
  Require(std::string(quantMode) == "dynamic", "quantMode is dynamic");
  Require(!(quantOffsetOptional.tensor != nullptr), "quantOffsetOptional is a null pointer");
  RequireShape(scale, Resized(x->shape, -(2), 1));
  RequireShape(quantScale, Without(x->shape, {-(1)}));
  RequireShape(weightOptional, {Extent(x, -(1))});
  RequireShape(biasOptional, {Extent(x, -(1))});
  RequireShape(smoothScalesOptional, {Extent(x, -(1))});
}

}  // namespace

aclnnStatus aclnnAdaLayerNormQuantGetWorkspaceSize(
    const aclTensor *x, const aclTensor *scale, const aclTensor *shift,
    const aclTensor *weightOptional, const aclTensor *biasOptional,
    const aclTensor *smoothScalesOptional, double epsilon, char *quantMode, aclTensor *out,
    aclTensor *quantScale, aclTensor *quantOffsetOptional, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnAdaLayerNormQuant", workspaceSize, executor, [&] {
    CheckAdaLayerNormQuant(
        {"x", x}, {"scale", scale}, {"shift", shift}, {"weightOptional", weightOptional},
        {"biasOptional", biasOptional}, {"smoothScalesOptional", smoothScalesOptional}, quantMode,
        {"out", out}, {"quantScale", quantScale}, {"quantOffsetOptional", quantOffsetOptional});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor biasOptionalAbsent = Filled({0}, 0.0F);
    if (biasOptional == nullptr) biasOptional = &biasOptionalAbsent;
    const aclTensor smoothScalesOptionalAbsent = Filled({0}, 1.0F);
    if (smoothScalesOptional == nullptr) smoothScalesOptional = &smoothScalesOptionalAbsent;
    aclTensor quantOffsetOptionalAbsent = Unwanted({0});
    if (quantOffsetOptional == nullptr) quantOffsetOptional = &quantOffsetOptionalAbsent;
    return Work{
        0, [x = *x, scale = *scale, shift = *shift, weightOptional = *weightOptional,
            biasOptional = *biasOptional, smoothScalesOptional = *smoothScalesOptional, out = *out,
            quantScale = *quantScale, quantOffsetOptional = *quantOffsetOptional](void *) {
          StandIn({out, quantScale, quantOffsetOptional},
                  {x, scale, shift, weightOptional, biasOptional, smoothScalesOptional});
        }};
  });
}

aclnnStatus aclnnAdaLayerNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnAdaLayerNormQuant", workspace, workspaceSize, executor, stream);
}
