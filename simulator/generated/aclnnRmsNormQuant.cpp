// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_rms_norm_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckRmsNormQuant(const TensorParameter &x, const TensorParameter &gamma,
                       const TensorParameter &beta, const TensorParameter &scale,
                       const TensorParameter &offset, const TensorParameter &y) {
  RequireNotNull({x, gamma, beta, scale, offset, y});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlas200I500A2, Product::kAtlasInference});
  RequireDataType({x, scale}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({offset}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8});
  RequireDataType({y}, {ACL_INT8});
  RequireDataType({x, scale}, {ACL_FLOAT16, ACL_BF16}, Product::kAtlasA3);
  RequireDataType({offset}, {ACL_INT8}, Product::kAtlasA3);
  RequireDataType({x, scale}, {ACL_FLOAT16, ACL_BF16}, Product::kAtlasA2);
  RequireDataType({offset}, {ACL_INT8}, Product::kAtlasA2);
  RequireDataType({x, scale}, {ACL_FLOAT16}, Product::kAtlas200I500A2);
  RequireDataType({offset}, {ACL_INT8}, Product::kAtlas200I500A2);
  RequireDataType({x, scale}, {ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({offset}, {ACL_INT8}, Product::kAtlasInference);
  RequireSameDataType({gamma, beta}, x);
  RequirePublicFormat({x, gamma, beta, scale, offset, y});
  RequireRank({x, y}, 1, 8);
  RequireRank({gamma, beta}, 1, 2);
  RequireRank({scale, offset}, 1, 1);
  RequireSameShape({offset}, scale);
  RequireSameShape({y}, x);
  RequireNotEmpty({x, gamma, beta, scale, offset, y});
  Require((Digits(scale->dataType) == 24) || (Digits(scale->dataType) == Digits(x->dataType)),
          "scale has the data type of x or float32");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2}))
    Require(Digits(scale->dataType) == Digits(x->dataType),
            "on these products scale has the data type of x");
  Require((!IsInteger(offset->dataType)
               ? Digits(offset->dataType) == Digits(scale->dataType)
               : (Digits(scale->dataType) == Digits(x->dataType)) && (Digits(x->dataType) < 24)),
          "offset has the data type of scale, or is int8 beside a half type of x and scale");
  if (IsOn({Product::kAtlasInference}))
    Require((Extent(x, -1) * ElementBits(y->dataType) / 8) >= 32,
            "the last axes of x, y and gamma have 32 bytes or more");
  RequireOneShape(gamma, ((true) && gamma->shape == Shape{Extent(x, -1)}) ||
                             ((true) && gamma->shape == Shape{1, Extent(x, -1)}));
  RequireOneShape(beta, ((true) && beta->shape == Shape{Extent(x, -1)}) ||
                            ((true) && beta->shape == Shape{1, Extent(x, -1)}));
  RequireShape(scale, {1});
}

}  // namespace

aclnnStatus aclnnRmsNormQuantGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                              const aclTensor *beta, const aclTensor *scale,
                                              const aclTensor *offset, double epsilon, aclTensor *y,
                                              uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnRmsNormQuant", workspaceSize, executor, [&] {
    CheckRmsNormQuant({"x", x}, {"gamma", gamma}, {"beta", beta}, {"scale", scale},
                      {"offset", offset}, {"y", y});
    return Work{0, [x = *x, gamma = *gamma, beta = *beta, scale = *scale, offset = *offset,
                    y = *y](void *) { StandIn({y}, {x, gamma, beta, scale, offset}); }};
  });
}

aclnnStatus aclnnRmsNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                              aclrtStream stream) {
  return LaunchOperator("aclnnRmsNormQuant", workspace, workspaceSize, executor, stream);
}
