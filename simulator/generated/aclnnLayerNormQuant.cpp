// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLayerNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_layer_norm_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckLayerNormQuant(const TensorParameter &x, const TensorParameter &gamma,
                         const TensorParameter &beta, const TensorParameter &scale,
                         const TensorParameter &zeroPointsOptional, int quantMode,
                         const TensorParameter &res, const TensorParameter &scaleOut) {
  RequireNotNull({x, gamma, beta, scale, res, scaleOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({zeroPointsOptional, res}, {ACL_INT8});
  RequireDataType({scaleOut}, {ACL_FLOAT});
  RequireDataType({x}, {ACL_FLOAT16, ACL_BF16}, Product::kAtlasA3);
  RequireDataType({x}, {ACL_FLOAT16, ACL_BF16}, Product::kAtlasA2);
  RequireDataType({x}, {ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({gamma, beta, scale}, x);
  RequirePublicFormat({x, gamma, beta, scale, zeroPointsOptional, res, scaleOut});
  RequireRank({x, gamma, beta, res}, 1, 8);
  RequireRank({scale, zeroPointsOptional}, 1, 1);
  RequireRank({scaleOut}, 0, 7);
  RequireSameShape({beta}, gamma);
  RequireSameShape({res}, x);
  Require(quantMode == 0, "quantMode is 0");
  if (IsOn({Product::kAtlasInference}))
    Require((Extent(x, -1) * ElementBits(x->dataType) / 8) >= 32,
            "the last axis of x, and so that of gamma and beta, has 32 bytes or more");
  RequireShape(gamma, {1, Extent(x, -1)});
  RequireShape(scale, {1});
  RequireShape(zeroPointsOptional, {1});
  RequireShape(scaleOut, Shape(x->shape.begin(), x->shape.end() - 1));
}

}  // namespace

aclnnStatus aclnnLayerNormQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                const aclTensor *beta, const aclTensor *scale,
                                                const aclTensor *zeroPointsOptional, int quantMode,
                                                double epsilon, aclTensor *res, aclTensor *scaleOut,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnLayerNormQuant", workspaceSize, executor, [&] {
    CheckLayerNormQuant({"x", x}, {"gamma", gamma}, {"beta", beta}, {"scale", scale},
                        {"zeroPointsOptional", zeroPointsOptional}, quantMode, {"res", res},
                        {"scaleOut", scaleOut});
    const aclTensor zeroPointsOptionalAbsent = Filled({0}, 0.0F);
    if (zeroPointsOptional == nullptr) zeroPointsOptional = &zeroPointsOptionalAbsent;
    return Work{
        0, [x = *x, gamma = *gamma, beta = *beta, scale = *scale,
            zeroPointsOptional = *zeroPointsOptional, res = *res, scaleOut = *scaleOut](void *) {
          StandIn({res, scaleOut}, {x, gamma, beta, scale, zeroPointsOptional});
        }};
  });
}

aclnnStatus aclnnLayerNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnLayerNormQuant", workspace, workspaceSize, executor, stream);
}
