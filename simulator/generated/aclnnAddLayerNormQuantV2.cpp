// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddLayerNormQuantV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_layer_norm_quant_v2.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddLayerNormQuantV2(
    const TensorParameter &x1, const TensorParameter &x2, const TensorParameter &gamma,
    const TensorParameter &beta, const TensorParameter &biasOptional,
    const TensorParameter &scales1Optional, const TensorParameter &scales2Optional,
    const TensorParameter &zeroPoints1Optional, const TensorParameter &zeroPoints2Optional,
    char *quantMode, bool additionalOutput, bool divMode, const TensorParameter &y1Out,
    const TensorParameter &y2Out, const TensorParameter &xOut, const TensorParameter &layernormRes,
    const TensorParameter &outScales1Out, const TensorParameter &outScales2Out) {
  RequireNotNull({x1, x2, gamma, beta, scales1Optional, y1Out, y2Out, xOut, layernormRes,
                  outScales1Out, outScales2Out});
  RequireText(quantMode, "quantMode");
  RequireProduct(
      {Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference});
  RequireDataType({x1, scales1Optional}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({y1Out, y2Out}, {ACL_INT8});
  RequireDataType({outScales1Out, outScales2Out}, {ACL_FLOAT});
  RequireDataType({x1, scales1Optional}, {ACL_FLOAT, ACL_FLOAT16}, Product::kAtlasInference);
  RequireSameDataType({x2, gamma, beta, biasOptional, xOut, layernormRes}, x1);
  RequireSameDataType({scales2Optional, zeroPoints1Optional, zeroPoints2Optional}, scales1Optional);
  RequirePublicFormat({x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional,
                       zeroPoints1Optional, zeroPoints2Optional, y1Out, y2Out, xOut, layernormRes,
                       outScales1Out, outScales2Out});
  RequireRank({x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional,
               zeroPoints1Optional, zeroPoints2Optional, y1Out, y2Out, xOut, layernormRes},
              1, 8);
  RequireRank({outScales1Out, outScales2Out}, 0, 7);
  RequireSameShape({x2, biasOptional, y1Out, y2Out, xOut, layernormRes}, x1);
  RequireSameShape({beta}, gamma);
  RequireSameShape({scales2Optional, zeroPoints1Optional, zeroPoints2Optional}, scales1Optional);
  Require((std::string(quantMode) == "static") || (std::string(quantMode) == "dynamic"),
          "quantMode is static or dynamic");
  Require((std::string(quantMode) == "static"
               ? ((scales2Optional.tensor != nullptr) && (zeroPoints1Optional.tensor != nullptr)
                      ? zeroPoints2Optional.tensor != nullptr
                      : !(zeroPoints2Optional.tensor != nullptr))
               : (!(zeroPoints1Optional.tensor != nullptr)) &&
                     (!(zeroPoints2Optional.tensor != nullptr))),
          "scales and zero points are given in one of the combinations that the mode has");
  if (IsOn({Product::kAscend950}))
    Require((std::string(quantMode) == "static") || (x1->Rank() >= 2),
            "in the mode dynamic, x1 has 2 axes or more");
  if (IsOn({Product::kAscend950}))
    Require((std::string(quantMode) == "static") ||
                ((Digits(x1->dataType) < 24) &&
                 (Digits(scales1Optional->dataType) == Digits(x1->dataType))),
            "in the mode dynamic, x1 and the scales have one half type");
  Require((Digits(scales1Optional->dataType) == 24) ||
              (Digits(scales1Optional->dataType) == Digits(x1->dataType)),
          "scales1Optional has the data type of x1 or float32");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference}))
    Require(Digits(scales1Optional->dataType) == Digits(x1->dataType),
            "on these products scales1Optional has the data type of x1");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference}))
    Require((std::string(quantMode) == "static") && (!(additionalOutput)) && (!(divMode)),
            "on these products quantMode is static, additionalOutput and divMode are false");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference}))
    Require(!(scales2Optional.tensor != nullptr), "on these products scales2Optional is null");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2, Product::kAtlasInference}))
    Require(!(zeroPoints2Optional.tensor != nullptr),
            "on these products zeroPoints2Optional is null");
  if (IsOn({Product::kAtlasInference}))
    Require((Extent(x1, -1) * ElementBits(x1->dataType) / 8) >= 32,
            "the last axis of x1 has 32 bytes or more");
  RequireShape(gamma, {1, Extent(x1, -1)});
  RequireShape(scales1Optional, {1});
  RequireShape(outScales1Out, Shape(x1->shape.begin(), x1->shape.end() - 1));
  RequireShape(outScales2Out, Shape(x1->shape.begin(), x1->shape.end() - 1));
}

}  // namespace

aclnnStatus aclnnAddLayerNormQuantV2GetWorkspaceSize(
    const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma, const aclTensor *beta,
    const aclTensor *biasOptional, const aclTensor *scales1Optional,
    const aclTensor *scales2Optional, const aclTensor *zeroPoints1Optional,
    const aclTensor *zeroPoints2Optional, char *quantMode, double epsilon, bool additionalOutput,
    bool divMode, aclTensor *y1Out, aclTensor *y2Out, aclTensor *xOut, aclTensor *layernormRes,
    aclTensor *outScales1Out, aclTensor *outScales2Out, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  return PlanOperator("aclnnAddLayerNormQuantV2", workspaceSize, executor, [&] {
    CheckAddLayerNormQuantV2(
        {"x1", x1}, {"x2", x2}, {"gamma", gamma}, {"beta", beta}, {"biasOptional", biasOptional},
        {"scales1Optional", scales1Optional}, {"scales2Optional", scales2Optional},
        {"zeroPoints1Optional", zeroPoints1Optional}, {"zeroPoints2Optional", zeroPoints2Optional},
        quantMode, additionalOutput, divMode, {"y1Out", y1Out}, {"y2Out", y2Out}, {"xOut", xOut},
        {"layernormRes", layernormRes}, {"outScales1Out", outScales1Out},
        {"outScales2Out", outScales2Out});
    const aclTensor biasOptionalAbsent = Filled({0}, 0.0F);
    if (biasOptional == nullptr) biasOptional = &biasOptionalAbsent;
    const aclTensor scales2OptionalAbsent = Filled({0}, 1.0F);
    if (scales2Optional == nullptr) scales2Optional = &scales2OptionalAbsent;
    const aclTensor zeroPoints1OptionalAbsent = Filled({0}, 0.0F);
    if (zeroPoints1Optional == nullptr) zeroPoints1Optional = &zeroPoints1OptionalAbsent;
    const aclTensor zeroPoints2OptionalAbsent = Filled({0}, 0.0F);
    if (zeroPoints2Optional == nullptr) zeroPoints2Optional = &zeroPoints2OptionalAbsent;
    return Work{
        0, [x1 = *x1, x2 = *x2, gamma = *gamma, beta = *beta, biasOptional = *biasOptional,
            scales1Optional = *scales1Optional, scales2Optional = *scales2Optional,
            zeroPoints1Optional = *zeroPoints1Optional, zeroPoints2Optional = *zeroPoints2Optional,
            y1Out = *y1Out, y2Out = *y2Out, xOut = *xOut, layernormRes = *layernormRes,
            outScales1Out = *outScales1Out, outScales2Out = *outScales2Out](void *) {
          StandIn({y1Out, y2Out, xOut, layernormRes, outScales1Out, outScales2Out},
                  {x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional,
                   zeroPoints1Optional, zeroPoints2Optional});
        }};
  });
}

aclnnStatus aclnnAddLayerNormQuantV2(void *workspace, uint64_t workspaceSize,
                                     aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnAddLayerNormQuantV2", workspace, workspaceSize, executor, stream);
}
