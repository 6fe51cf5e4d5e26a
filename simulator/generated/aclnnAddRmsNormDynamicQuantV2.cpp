// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNormDynamicQuantV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant_v2.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddRmsNormDynamicQuantV2(
    const TensorParameter &x1, const TensorParameter &x2, const TensorParameter &gamma,
    const TensorParameter &smoothScale1Optional, const TensorParameter &smoothScale2Optional,
    const TensorParameter &betaOptional, const IntArrayParameter &outputMaskOptional,
    const TensorParameter &y1Out, const TensorParameter &y2Out, const TensorParameter &xOut,
    const TensorParameter &scale1Out, const TensorParameter &scale2Out) {
  RequireNotNull({x1, x2, gamma, y1Out, y2Out, xOut, scale1Out, scale2Out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x1}, {ACL_FLOAT16, ACL_BF16});
  RequireDataType({y1Out}, {ACL_INT8});
  RequireDataType({scale1Out, scale2Out}, {ACL_FLOAT});
  RequireSameDataType({x2, gamma, xOut}, x1);
  RequireSameDataType({smoothScale1Optional, smoothScale2Optional, betaOptional}, gamma);
  RequireSameDataType({y2Out}, y1Out);
  RequirePublicFormat({x1, x2, gamma, smoothScale1Optional, smoothScale2Optional, betaOptional,
                       y1Out, y2Out, xOut, scale1Out, scale2Out});
  RejectWith(561002, [&] {
    RequireRank({x1, x2, y1Out, y2Out, xOut}, 2, 8);
    RequireRank({gamma, smoothScale1Optional, smoothScale2Optional, betaOptional}, 1, 1);
    RequireRank({scale1Out, scale2Out}, 1, 8);
    RequireSameShape({x2, xOut}, x1);
  });
  RequireSameShape({y1Out, y2Out}, x1);
  RejectWith(561002, [&] {
    RequireSameShape({smoothScale1Optional, smoothScale2Optional, betaOptional}, gamma);
  });
  RequireContiguous({scale1Out, scale2Out});
  Require((Length(Numbers(outputMaskOptional, {})) == 0) ||
              (Length(Numbers(outputMaskOptional, {})) == 2),
          "outputMaskOptional is null or has two elements");
  Require(
      (Length(Numbers(outputMaskOptional, {})) == 2
           ? (Number(Numbers(outputMaskOptional, {}), 0)) &&
                 (Number(Numbers(outputMaskOptional, {}), 1))
           : (smoothScale1Optional.tensor != nullptr) && (smoothScale2Optional.tensor != nullptr)),
      "both results are wanted, as the page says two things of the shape of one that is not");
  RejectWith(561002, [&] {
    RequireShape(scale1Out, Shape(x1->shape.begin(), x1->shape.end() - 1));
    RequireShape(scale2Out, Shape(x1->shape.begin(), x1->shape.end() - 1));
    RequireShape(gamma, {Extent(x1, -1)});
  });
}

}  // namespace

aclnnStatus aclnnAddRmsNormDynamicQuantV2GetWorkspaceSize(
    const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma,
    const aclTensor *smoothScale1Optional, const aclTensor *smoothScale2Optional,
    const aclTensor *betaOptional, double epsilon, const aclBoolArray *outputMaskOptional,
    aclTensor *y1Out, aclTensor *y2Out, aclTensor *xOut, aclTensor *scale1Out, aclTensor *scale2Out,
    uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnAddRmsNormDynamicQuantV2", workspaceSize, executor, [&] {
    CheckAddRmsNormDynamicQuantV2(
        {"x1", x1}, {"x2", x2}, {"gamma", gamma}, {"smoothScale1Optional", smoothScale1Optional},
        {"smoothScale2Optional", smoothScale2Optional}, {"betaOptional", betaOptional},
        {"outputMaskOptional", outputMaskOptional}, {"y1Out", y1Out}, {"y2Out", y2Out},
        {"xOut", xOut}, {"scale1Out", scale1Out}, {"scale2Out", scale2Out});
    const aclTensor smoothScale1OptionalAbsent = Filled({0}, 1.0F);
    if (smoothScale1Optional == nullptr) smoothScale1Optional = &smoothScale1OptionalAbsent;
    const aclTensor smoothScale2OptionalAbsent = Filled({0}, 1.0F);
    if (smoothScale2Optional == nullptr) smoothScale2Optional = &smoothScale2OptionalAbsent;
    const aclTensor betaOptionalAbsent = Filled({0}, 0.0F);
    if (betaOptional == nullptr) betaOptional = &betaOptionalAbsent;
    return Work{
        0,
        [x1 = *x1, x2 = *x2, gamma = *gamma, smoothScale1Optional = *smoothScale1Optional,
         smoothScale2Optional = *smoothScale2Optional, betaOptional = *betaOptional, y1Out = *y1Out,
         y2Out = *y2Out, xOut = *xOut, scale1Out = *scale1Out, scale2Out = *scale2Out](void *) {
          StandIn({y1Out, y2Out, xOut, scale1Out, scale2Out},
                  {x1, x2, gamma, smoothScale1Optional, smoothScale2Optional, betaOptional});
        }};
  });
}

aclnnStatus aclnnAddRmsNormDynamicQuantV2(void *workspace, uint64_t workspaceSize,
                                          aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnAddRmsNormDynamicQuantV2", workspace, workspaceSize, executor,
                        stream);
}
