// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaLayerNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_ada_layer_norm.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAdaLayerNorm(const TensorParameter &x, const TensorParameter &scale,
                       const TensorParameter &shift, const TensorParameter &weightOptional,
                       const TensorParameter &biasOptional, const TensorParameter &out) {
  RequireNotNull({x, scale, shift, out});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireSameDataType({scale, shift, weightOptional, biasOptional, out}, x);
  RequirePublicFormat({x, scale, shift, weightOptional, biasOptional, out});
  RequireRank({x, out}, 2, 8);
  RequireRank({scale, shift}, 1, 8);
  RequireRank({weightOptional, biasOptional}, 1, 1);
  RequireSameShape({out}, x);
  RequireNotEmpty({x, scale, shift, weightOptional, biasOptional, out});
  RequireShape(scale, Resized(x->shape, -(2), 1));
  RequireShape(shift, Resized(x->shape, -(2), 1));
  RequireShape(weightOptional, {Extent(x, -(1))});
  RequireShape(biasOptional, {Extent(x, -(1))});
}

}  // namespace

aclnnStatus aclnnAdaLayerNormGetWorkspaceSize(const aclTensor *x, const aclTensor *scale,
                                              const aclTensor *shift,
                                              const aclTensor *weightOptional,
                                              const aclTensor *biasOptional, double epsilon,
                                              aclTensor *out, uint64_t *workspaceSize,
                                              aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnAdaLayerNorm", workspaceSize, executor, [&] {
    CheckAdaLayerNorm({"x", x}, {"scale", scale}, {"shift", shift},
                      {"weightOptional", weightOptional}, {"biasOptional", biasOptional},
                      {"out", out});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor biasOptionalAbsent = Filled({0}, 0.0F);
    if (biasOptional == nullptr) biasOptional = &biasOptionalAbsent;
    return Work{0, [x = *x, scale = *scale, shift = *shift, weightOptional = *weightOptional,
                    biasOptional = *biasOptional, out = *out](void *) {
                  StandIn({out}, {x, scale, shift, weightOptional, biasOptional});
                }};
  });
}

aclnnStatus aclnnAdaLayerNorm(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnAdaLayerNorm", workspace, workspaceSize, executor, stream);
}
