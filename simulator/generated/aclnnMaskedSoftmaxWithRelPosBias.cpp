// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaskedSoftmaxWithRelPosBias.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_masked_softmax_with_rel_pos_bias.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckMaskedSoftmaxWithRelPosBias(const TensorParameter &x,
                                      const TensorParameter &attenMaskOptional,
                                      const TensorParameter &relativePosBias,
                                      const TensorParameter &out) {
  RequireNotNull({x, attenMaskOptional, relativePosBias, out});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RejectWith(561002, [&] {
    RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
    RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
    RequireSameDataType({attenMaskOptional, relativePosBias, out}, x);
    RequirePublicFormat({x, attenMaskOptional, relativePosBias, out});
    RequireRank({x, out}, 4, 5);
    RequireRank({attenMaskOptional, relativePosBias}, 3, 5);
    RequireSameShape({out}, x);
  });
  RequireContiguous({x, attenMaskOptional, relativePosBias, out});
  RejectWith(561002, [&] {
    Require(((Number(Shape(x->shape.begin(), x->shape.end() - 3),
                     (Length(Shape(x->shape.begin(), x->shape.end() - 3)) - 1)) %
              Extent(attenMaskOptional, 0)) == 0) &&
                ((Length(Shape(x->shape.begin(), x->shape.end() - 3)) == 1) ||
                 (Number(Shape(x->shape.begin(), x->shape.end() - 3), 1) ==
                  Extent(attenMaskOptional, 0))),
            "x has the windows of attenMaskOptional as its second axis, or some of them behind one "
            "another as its first one");
    if (IsOn({Product::kAtlasInference}))
      Require(((Extent(x, -1) * ElementBits(x->dataType) / 8) % 32) == 0,
              "the last axis of x is a multiple of 32 bytes");
    RequireShape(attenMaskOptional, {Extent(attenMaskOptional, 0), Extent(x, -2), Extent(x, -1)});
    RequireShape(relativePosBias, {Extent(x, -3), Extent(x, -2), Extent(x, -1)});
  });
}

}  // namespace

aclnnStatus aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(
    const aclTensor *x, const aclTensor *attenMaskOptional, const aclTensor *relativePosBias,
    double scaleValue, int64_t innerPrecisionMode, const aclTensor *out, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  static_cast<void>(scaleValue);
  static_cast<void>(innerPrecisionMode);
  return PlanOperator("aclnnMaskedSoftmaxWithRelPosBias", workspaceSize, executor, [&] {
    CheckMaskedSoftmaxWithRelPosBias({"x", x}, {"attenMaskOptional", attenMaskOptional},
                                     {"relativePosBias", relativePosBias}, {"out", out});
    return Work{0,
                [x = *x, attenMaskOptional = *attenMaskOptional, relativePosBias = *relativePosBias,
                 out = *out](void *) { StandIn({out}, {x, attenMaskOptional, relativePosBias}); }};
  });
}

aclnnStatus aclnnMaskedSoftmaxWithRelPosBias(void *workspace, uint64_t workspaceSize,
                                             aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnMaskedSoftmaxWithRelPosBias", workspace, workspaceSize, executor,
                        stream);
}
