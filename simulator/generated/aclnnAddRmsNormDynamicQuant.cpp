// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNormDynamicQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddRmsNormDynamicQuant(const TensorParameter &x1, const TensorParameter &x2,
                                 const TensorParameter &gamma,
                                 const TensorParameter &smoothScale1Optional,
                                 const TensorParameter &smoothScale2Optional,
                                 const TensorParameter &y1Out, const TensorParameter &y2Out,
                                 const TensorParameter &xOut, const TensorParameter &scale1Out,
                                 const TensorParameter &scale2Out) {
  RequireNotNull({x1, x2, gamma, y1Out, y2Out, xOut, scale1Out, scale2Out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({x1}, {ACL_FLOAT16, ACL_BF16});
  RequireDataType({y1Out, y2Out}, {ACL_INT8});
  RequireDataType({scale1Out, scale2Out}, {ACL_FLOAT});
  RequireSameDataType({x2, gamma, xOut}, x1);
  RequireSameDataType({smoothScale1Optional, smoothScale2Optional}, gamma);
  RequirePublicFormat({x1, x2, gamma, smoothScale1Optional, smoothScale2Optional, y1Out, y2Out,
                       xOut, scale1Out, scale2Out});
  RequireRank({x1, x2, y1Out, xOut}, 2, 8);
  RequireRank({gamma, smoothScale1Optional, smoothScale2Optional}, 1, 1);
  RequireRank({y2Out, scale1Out, scale2Out}, 1, 8);
  RequireSameShape({x2, xOut}, x1);
  RequireSameShape({smoothScale1Optional, smoothScale2Optional}, gamma);
  RequireSameShape({scale2Out}, scale1Out);
  RequireContiguous({scale1Out, scale2Out});
  Require((smoothScale1Optional.tensor != nullptr) || (!(smoothScale2Optional.tensor != nullptr)),
          "smoothScale2Optional is given beside smoothScale1Optional only");
  RequireShape(y1Out, Joined(Shape(x1->shape.begin(), x1->shape.end() - 1), {Extent(x1, -1)}));
  RequireShape(y2Out, smoothScale2Optional.tensor != nullptr
                          ? Joined(Shape(x1->shape.begin(), x1->shape.end() - 1), {Extent(x1, -1)})
                      : smoothScale2Optional.tensor != nullptr
                          ? Shape{ElementCount(Shape(x1->shape.begin(), x1->shape.end() - 1)),
                                  Extent(x1, -1)}
                          : Shape{1});
  RequireShape(scale1Out, Shape(x1->shape.begin(), x1->shape.end() - 1));
  RequireShape(gamma, {Extent(x1, -1)});
}

}  // namespace

aclnnStatus aclnnAddRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma,
    const aclTensor *smoothScale1Optional, const aclTensor *smoothScale2Optional, double epsilon,
    aclTensor *y1Out, aclTensor *y2Out, aclTensor *xOut, aclTensor *scale1Out, aclTensor *scale2Out,
    uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnAddRmsNormDynamicQuant", workspaceSize, executor, [&] {
    CheckAddRmsNormDynamicQuant(
        {"x1", x1}, {"x2", x2}, {"gamma", gamma}, {"smoothScale1Optional", smoothScale1Optional},
        {"smoothScale2Optional", smoothScale2Optional}, {"y1Out", y1Out}, {"y2Out", y2Out},
        {"xOut", xOut}, {"scale1Out", scale1Out}, {"scale2Out", scale2Out});
    const aclTensor smoothScale1OptionalAbsent = Filled({0}, 1.0F);
    if (smoothScale1Optional == nullptr) smoothScale1Optional = &smoothScale1OptionalAbsent;
    const aclTensor smoothScale2OptionalAbsent = Filled({0}, 1.0F);
    if (smoothScale2Optional == nullptr) smoothScale2Optional = &smoothScale2OptionalAbsent;
    return Work{0,
                [x1 = *x1, x2 = *x2, gamma = *gamma, smoothScale1Optional = *smoothScale1Optional,
                 smoothScale2Optional = *smoothScale2Optional, y1Out = *y1Out, y2Out = *y2Out,
                 xOut = *xOut, scale1Out = *scale1Out, scale2Out = *scale2Out](void *) {
                  StandIn({y1Out, y2Out, xOut, scale1Out, scale2Out},
                          {x1, x2, gamma, smoothScale1Optional, smoothScale2Optional});
                }};
  });
}

aclnnStatus aclnnAddRmsNormDynamicQuant(void *workspace, uint64_t workspaceSize,
                                        aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnAddRmsNormDynamicQuant", workspace, workspaceSize, executor, stream);
}
