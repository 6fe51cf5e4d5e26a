// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_rms_norm_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddRmsNormQuant(const TensorParameter &x1, const TensorParameter &x2,
                          const TensorParameter &gamma, const TensorParameter &scales1,
                          const TensorParameter &scales2Optional,
                          const TensorParameter &zeroPoints1Optional,
                          const TensorParameter &zeroPoints2Optional, bool divMode,
                          const TensorParameter &y1Out, const TensorParameter &y2Out,
                          const TensorParameter &xOut) {
  RequireNotNull({x1, x2, gamma, scales1, y1Out, y2Out, xOut});
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x1, scales1}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({zeroPoints1Optional}, {ACL_INT32, ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({y1Out}, {ACL_INT8});
  RequireDataType({x1}, {ACL_FLOAT16, ACL_BF16}, Product::kAtlasA3);
  RequireDataType({scales1}, {ACL_FLOAT, ACL_BF16}, Product::kAtlasA3);
  RequireDataType({zeroPoints1Optional}, {ACL_INT32, ACL_BF16}, Product::kAtlasA3);
  RequireDataType({x1}, {ACL_FLOAT16, ACL_BF16}, Product::kAtlasA2);
  RequireDataType({scales1}, {ACL_FLOAT, ACL_BF16}, Product::kAtlasA2);
  RequireDataType({zeroPoints1Optional}, {ACL_INT32, ACL_BF16}, Product::kAtlasA2);
  RequireDataType({x1}, {ACL_FLOAT16}, Product::kAtlasInference);
  RequireDataType({scales1}, {ACL_FLOAT}, Product::kAtlasInference);
  RequireDataType({zeroPoints1Optional}, {ACL_INT32}, Product::kAtlasInference);
  RequireSameDataType({x2, gamma, xOut}, x1);
  RequireSameDataType({scales2Optional}, scales1);
  RequireSameDataType({zeroPoints2Optional}, zeroPoints1Optional);
  RequireSameDataType({y2Out}, y1Out);
  RequirePublicFormat({x1, x2, gamma, scales1, scales2Optional, zeroPoints1Optional,
                       zeroPoints2Optional, y1Out, y2Out, xOut});
  RequireRank({x1, x2, gamma, scales1, scales2Optional, zeroPoints1Optional, zeroPoints2Optional,
               y1Out, y2Out, xOut},
              1, 8);
  RequireSameShape({x2, y1Out, y2Out, xOut}, x1);
  RequireSameShape({scales1, scales2Optional, zeroPoints1Optional, zeroPoints2Optional}, gamma);
  RequireTrailing(gamma, x1);
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference}))
    Require(divMode, "on these products divMode is true");
  Require((Digits(scales1->dataType) == 24) || (Digits(scales1->dataType) == Digits(x1->dataType)),
          "scales1 has the data type of x1 or float32");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2}))
    Require(Digits(scales1->dataType) == (Digits(x1->dataType) == 11 ? 24 : 8),
            "on these products scales1 is float32 beside float16, bfloat16 beside bfloat16");
  Require((!(zeroPoints1Optional.tensor != nullptr)) ||
              (Digits(zeroPoints1Optional->dataType) == Digits(scales1->dataType)) ||
              ((!(!IsInteger(zeroPoints1Optional->dataType))) &&
               (Digits(scales1->dataType) == 24) && (Digits(x1->dataType) < 24)),
          "the zero points have the data type of scales1, or beside float32 and a half type of x1 "
          "int32");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2}))
    Require((!(zeroPoints1Optional.tensor != nullptr)) ||
                ((Digits(x1->dataType) == 8) && (!IsInteger(zeroPoints1Optional->dataType))) ||
                ((Digits(x1->dataType) == 11) && (!(!IsInteger(zeroPoints1Optional->dataType)))),
            "on these products the zero points are int32 beside float16, bfloat16 beside bfloat16");
  if (IsOn({Product::kAtlasInference}))
    Require((ElementCount(gamma->shape) * ElementBits(y1Out->dataType) / 8) >= 32,
            "the normalised axes have 32 bytes or more in each tensor");
}

}  // namespace

aclnnStatus aclnnAddRmsNormQuantGetWorkspaceSize(
    const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma, const aclTensor *scales1,
    const aclTensor *scales2Optional, const aclTensor *zeroPoints1Optional,
    const aclTensor *zeroPoints2Optional, int64_t axis, double epsilon, bool divMode,
    aclTensor *y1Out, aclTensor *y2Out, aclTensor *xOut, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  static_cast<void>(axis);
  static_cast<void>(epsilon);
  return PlanOperator("aclnnAddRmsNormQuant", workspaceSize, executor, [&] {
    CheckAddRmsNormQuant({"x1", x1}, {"x2", x2}, {"gamma", gamma}, {"scales1", scales1},
                         {"scales2Optional", scales2Optional},
                         {"zeroPoints1Optional", zeroPoints1Optional},
                         {"zeroPoints2Optional", zeroPoints2Optional}, divMode, {"y1Out", y1Out},
                         {"y2Out", y2Out}, {"xOut", xOut});
    const aclTensor scales2OptionalAbsent = Filled({0}, 1.0F);
    if (scales2Optional == nullptr) scales2Optional = &scales2OptionalAbsent;
    const aclTensor zeroPoints1OptionalAbsent = Filled({0}, 0.0F);
    if (zeroPoints1Optional == nullptr) zeroPoints1Optional = &zeroPoints1OptionalAbsent;
    const aclTensor zeroPoints2OptionalAbsent = Filled({0}, 0.0F);
    if (zeroPoints2Optional == nullptr) zeroPoints2Optional = &zeroPoints2OptionalAbsent;
    return Work{0, [x1 = *x1, x2 = *x2, gamma = *gamma, scales1 = *scales1,
                    scales2Optional = *scales2Optional, zeroPoints1Optional = *zeroPoints1Optional,
                    zeroPoints2Optional = *zeroPoints2Optional, y1Out = *y1Out, y2Out = *y2Out,
                    xOut = *xOut](void *) {
                  StandIn({y1Out, y2Out, xOut}, {x1, x2, gamma, scales1, scales2Optional,
                                                 zeroPoints1Optional, zeroPoints2Optional});
                }};
  });
}

aclnnStatus aclnnAddRmsNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnAddRmsNormQuant", workspace, workspaceSize, executor, stream);
}
