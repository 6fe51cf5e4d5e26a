// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormQuantV3.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_rms_norm_quant_v3.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckRmsNormQuantV3(const TensorParameter &x, const TensorParameter &gamma,
                         const TensorParameter &scale, const TensorParameter &offsetOptional,
                         const TensorParameter &betaOptional, const TensorParameter &y,
                         const TensorParameter &rstd) {
  RequireNotNull({x, gamma, scale, y, rstd});
  RequireProduct({Product::kAscend950});
  RejectWith(561103, [&] {
    RequireDataType({x, scale}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
    RequireDataType({offsetOptional}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8});
    RequireDataType({y}, {ACL_INT8});
    RequireDataType({rstd}, {ACL_FLOAT});
    RequireSameDataType({gamma, betaOptional}, x);
  });
  RequirePublicFormat({x, gamma, scale, offsetOptional, betaOptional, y, rstd});
  RejectWith(561103, [&] { RequireRank({x, y, rstd}, 1, 8); });
  RequireRank({gamma, betaOptional}, 1, 2);
  RequireRank({scale}, 1, 1);
  RejectWith(561103, [&] {
    RequireRank({offsetOptional}, 1, 1);
    RequireSameShape({offsetOptional}, scale);
    RequireSameShape({y}, x);
  });
  RequireNotEmpty({x, gamma, scale, offsetOptional, betaOptional, y, rstd});
  RejectWith(561103, [&] {
    Require((Digits(scale->dataType) == 24) || (Digits(scale->dataType) == Digits(x->dataType)),
            "scale has the data type of x or float32");
    Require(
        (!(offsetOptional.tensor != nullptr)) ||
            ((!IsInteger(offsetOptional->dataType)
                  ? Digits(offsetOptional->dataType) == Digits(scale->dataType)
                  : (Digits(scale->dataType) == Digits(x->dataType)) &&
                        (Digits(x->dataType) < 24))),
        "offsetOptional has the data type of scale, or is int8 beside a half type of x and scale");
    RequireShape(rstd, Resized(x->shape, -(1), 1));
    RequireOneShape(gamma, ((true) && gamma->shape == Shape{Extent(x, -1)}) ||
                               ((true) && gamma->shape == Shape{1, Extent(x, -1)}));
    RequireOneShape(scale, ((true) && scale->shape == Shape{1}) ||
                               ((true) && scale->shape == Shape{Extent(x, -1)}));
    RequireOneShape(betaOptional, betaOptional.tensor == nullptr ||
                                      ((true) && betaOptional->shape == Shape{Extent(x, -1)}) ||
                                      ((true) && betaOptional->shape == Shape{1, Extent(x, -1)}));
  });
}

}  // namespace

aclnnStatus aclnnRmsNormQuantV3GetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
                                                const aclTensor *scale,
                                                const aclTensor *offsetOptional,
                                                const aclTensor *betaOptional, double epsilon,
                                                bool divMode, bool outputRstd, aclTensor *y,
                                                aclTensor *rstd, uint64_t *workspaceSize,
                                                aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  static_cast<void>(divMode);
  static_cast<void>(outputRstd);
  return PlanOperator("aclnnRmsNormQuantV3", workspaceSize, executor, [&] {
    CheckRmsNormQuantV3({"x", x}, {"gamma", gamma}, {"scale", scale},
                        {"offsetOptional", offsetOptional}, {"betaOptional", betaOptional},
                        {"y", y}, {"rstd", rstd});
    const aclTensor offsetOptionalAbsent = Filled({0}, 0.0F);
    if (offsetOptional == nullptr) offsetOptional = &offsetOptionalAbsent;
    const aclTensor betaOptionalAbsent = Filled({0}, 0.0F);
    if (betaOptional == nullptr) betaOptional = &betaOptionalAbsent;
    return Work{0, [x = *x, gamma = *gamma, scale = *scale, offsetOptional = *offsetOptional,
                    betaOptional = *betaOptional, y = *y, rstd = *rstd](void *) {
                  StandIn({y, rstd}, {x, gamma, scale, offsetOptional, betaOptional});
                }};
  });
}

aclnnStatus aclnnRmsNormQuantV3(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                aclrtStream stream) {
  return LaunchOperator("aclnnRmsNormQuantV3", workspace, workspaceSize, executor, stream);
}
