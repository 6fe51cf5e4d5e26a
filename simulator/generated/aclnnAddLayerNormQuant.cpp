// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddLayerNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_add_layer_norm_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckAddLayerNormQuant(const TensorParameter &x1, const TensorParameter &x2,
                            const TensorParameter &gamma, const TensorParameter &beta,
                            const TensorParameter &biasOptional,
                            const TensorParameter &scales1Optional,
                            const TensorParameter &scales2Optional,
                            const TensorParameter &zeroPoints1Optional,
                            const TensorParameter &zeroPoints2Optional, char *quantMode,
                            const TensorParameter &y1Out, const TensorParameter &y2Out,
                            const TensorParameter &xOut, const TensorParameter &outScales1Out,
                            const TensorParameter &outScales2Out) {
  RequireNotNull(
      {x1, x2, gamma, beta, scales1Optional, y1Out, y2Out, xOut, outScales1Out, outScales2Out});
  RequireText(quantMode, "quantMode");
  RequireProduct({Product::kAscend950});
  RequireDataType({x1}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({y1Out, y2Out}, {ACL_INT8});
  RequireDataType({outScales1Out, outScales2Out}, {ACL_FLOAT});
  RequireSameDataType({x2, gamma, beta, biasOptional, xOut}, x1);
  RequireSameDataType({scales2Optional, zeroPoints1Optional, zeroPoints2Optional}, scales1Optional);
  RequireSameDataType({scales1Optional}, x1, {ACL_FLOAT});
  RequirePublicFormat({x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional,
                       zeroPoints1Optional, zeroPoints2Optional, y1Out, y2Out, xOut, outScales1Out,
                       outScales2Out});
  RequireRank({x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional,
               zeroPoints1Optional, zeroPoints2Optional, y1Out, y2Out, xOut},
              1, 8);
  RequireRank({outScales1Out, outScales2Out}, 0, 7);
  RequireSameShape({x2, y1Out, y2Out, xOut}, x1);
  RequireSameShape({beta, biasOptional, scales1Optional, scales2Optional, zeroPoints1Optional,
                    zeroPoints2Optional},
                   gamma);
  RequireTrailing(gamma, x1);
  Require(std::string(quantMode) == "static",
          "quantMode is static; in the mode dynamic, gamma has two axes or more by its row, and "
          "one by the error table");
  Require(((scales2Optional.tensor != nullptr) && (zeroPoints1Optional.tensor != nullptr)
               ? zeroPoints2Optional.tensor != nullptr
               : !(zeroPoints2Optional.tensor != nullptr)),
          "zeroPoints2Optional is given where scales2Optional and zeroPoints1Optional are");
  RequireShape(outScales1Out, Without(x1->shape, {-(1)}));
  RequireShape(outScales2Out, Without(x1->shape, {-(1)}));
}

}  // namespace

aclnnStatus aclnnAddLayerNormQuantGetWorkspaceSize(
    const aclTensor *x1, const aclTensor *x2, const aclTensor *gamma, const aclTensor *beta,
    const aclTensor *biasOptional, const aclTensor *scales1Optional,
    const aclTensor *scales2Optional, const aclTensor *zeroPoints1Optional,
    const aclTensor *zeroPoints2Optional, char *quantMode, double epsilon, bool additionalOutput,
    bool divMode, aclTensor *y1Out, aclTensor *y2Out, aclTensor *xOut, aclTensor *outScales1Out,
    aclTensor *outScales2Out, uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(epsilon);
  static_cast<void>(additionalOutput);
  static_cast<void>(divMode);
  return PlanOperator("aclnnAddLayerNormQuant", workspaceSize, executor, [&] {
    CheckAddLayerNormQuant(
        {"x1", x1}, {"x2", x2}, {"gamma", gamma}, {"beta", beta}, {"biasOptional", biasOptional},
        {"scales1Optional", scales1Optional}, {"scales2Optional", scales2Optional},
        {"zeroPoints1Optional", zeroPoints1Optional}, {"zeroPoints2Optional", zeroPoints2Optional},
        quantMode, {"y1Out", y1Out}, {"y2Out", y2Out}, {"xOut", xOut},
        {"outScales1Out", outScales1Out}, {"outScales2Out", outScales2Out});
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
            y1Out = *y1Out, y2Out = *y2Out, xOut = *xOut, outScales1Out = *outScales1Out,
            outScales2Out = *outScales2Out](void *) {
          StandIn({y1Out, y2Out, xOut, outScales1Out, outScales2Out},
                  {x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional,
                   zeroPoints1Optional, zeroPoints2Optional});
        }};
  });
}

aclnnStatus aclnnAddLayerNormQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                   aclrtStream stream) {
  return LaunchOperator("aclnnAddLayerNormQuant", workspace, workspaceSize, executor, stream);
}
