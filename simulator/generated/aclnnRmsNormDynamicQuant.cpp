// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormDynamicQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_rms_norm_dynamic_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckRmsNormDynamicQuant(const TensorParameter &x, const TensorParameter &gamma,
                              const TensorParameter &smoothScalesOptional,
                              const TensorParameter &betaOptional, int64_t dstType,
                              const TensorParameter &yOut, const TensorParameter &scaleOut) {
  RequireNotNull({x, gamma, yOut, scaleOut});
  RequireProduct({Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x}, {ACL_FLOAT16, ACL_BF16});
  RequireDataType({yOut}, {ACL_INT8});
  RequireDataType({scaleOut}, {ACL_FLOAT});
  RequireSameDataType({gamma, smoothScalesOptional, betaOptional}, x);
  RequirePublicFormat({x, gamma, smoothScalesOptional, betaOptional, yOut, scaleOut});
  RequireRank({x, yOut}, 2, 8);
  RequireRank({gamma, smoothScalesOptional, betaOptional}, 1, 1);
  RequireRank({scaleOut}, 1, 8);
  RequireSameShape({smoothScalesOptional, betaOptional}, gamma);
  RequireSameShape({yOut}, x);
  RequireNotEmpty({x, gamma, smoothScalesOptional, betaOptional, yOut, scaleOut});
  Require(dstType == 2, "dstType is 2, the number of int8");
  Require(Extent(x, -(1)) <= 8192, "the last extent of x is at most 8192");
  RequireShape(scaleOut, Without(x->shape, {-(1)}));
  RequireShape(gamma, {Extent(x, -(1))});
}

}  // namespace

aclnnStatus aclnnRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor *x, const aclTensor *gamma, const aclTensor *smoothScalesOptional,
    const aclTensor *betaOptional, double epsilon, int64_t dstType, const aclTensor *yOut,
    const aclTensor *scaleOut, uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnRmsNormDynamicQuant", workspaceSize, executor, [&] {
    CheckRmsNormDynamicQuant(
        {"x", x}, {"gamma", gamma}, {"smoothScalesOptional", smoothScalesOptional},
        {"betaOptional", betaOptional}, dstType, {"yOut", yOut}, {"scaleOut", scaleOut});
    const aclTensor smoothScalesOptionalAbsent = Filled({0}, 1.0F);
    if (smoothScalesOptional == nullptr) smoothScalesOptional = &smoothScalesOptionalAbsent;
    const aclTensor betaOptionalAbsent = Filled({0}, 0.0F);
    if (betaOptional == nullptr) betaOptional = &betaOptionalAbsent;
    return Work{0, [x = *x, gamma = *gamma, smoothScalesOptional = *smoothScalesOptional,
                    betaOptional = *betaOptional, yOut = *yOut, scaleOut = *scaleOut](void *) {
                  StandIn({yOut, scaleOut}, {x, gamma, smoothScalesOptional, betaOptional});
                }};
  });
}

aclnnStatus aclnnRmsNormDynamicQuant(void *workspace, uint64_t workspaceSize,
                                     aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnRmsNormDynamicQuant", workspace, workspaceSize, executor, stream);
}
