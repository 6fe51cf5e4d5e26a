// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaLayerNormV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_ada_layer_norm_v2.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaLayerNormV2(const TensorParameter &x, const TensorParameter &scale,
                         const TensorParameter &shift, const TensorParameter &weightOptional,
                         const TensorParameter &biasOptional, const TensorParameter &out,
                         const TensorParameter &meanOutOptional,
                         const TensorParameter &rstdOutOptional) {
  RequireNotNull({x, scale, shift, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({scale, shift, out, meanOutOptional, rstdOutOptional}, x);
  RequireSameDataType({biasOptional}, weightOptional);
  RequireSameDataType({weightOptional}, x, {ACL_FLOAT});
  RequirePublicFormat(
      {x, scale, shift, weightOptional, biasOptional, out, meanOutOptional, rstdOutOptional});
  RequireRank({x, scale, shift, out, meanOutOptional, rstdOutOptional}, 2, 8);
  RequireRank({weightOptional, biasOptional}, 1, 1);
  RequireSameShape({out}, x);
  RequireNotEmpty(
      {x, scale, shift, weightOptional, biasOptional, out, meanOutOptional, rstdOutOptional});
  RequireShape(scale, Resized(x->shape, -(2), 1));
  RequireShape(shift, Resized(x->shape, -(2), 1));
  RequireShape(meanOutOptional, Resized(x->shape, -(1), 1));
  RequireShape(rstdOutOptional, Resized(x->shape, -(1), 1));
  RequireShape(weightOptional, {Extent(x, -(1))});
  RequireShape(biasOptional, {Extent(x, -(1))});
}

}  // namespace

aclnnStatus aclnnAdaLayerNormV2GetWorkspaceSize(const aclTensor *x, const aclTensor *scale,
                                                const aclTensor *shift,
                                                const aclTensor *weightOptional,
                                                const aclTensor *biasOptional, double epsilon,
                                                aclTensor *out, aclTensor *meanOutOptional,
                                                aclTensor *rstdOutOptional, uint64_t *workspaceSize,
                                                aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnAdaLayerNormV2", workspaceSize, executor, [&] {
    CheckAdaLayerNormV2({"x", x}, {"scale", scale}, {"shift", shift},
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
    return Work{0, [x = *x, scale = *scale, shift = *shift, weightOptional = *weightOptional,
                    biasOptional = *biasOptional, out = *out, meanOutOptional = *meanOutOptional,
                    rstdOutOptional = *rstdOutOptional](void *) {
                  StandIn({out, meanOutOptional, rstdOutOptional},
                          {x, scale, shift, weightOptional, biasOptional});
                }};
  });
}

aclnnStatus aclnnAdaLayerNormV2(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnAdaLayerNormV2", workspace, workspaceSize, executor, stream);
}
