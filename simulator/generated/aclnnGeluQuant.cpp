// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_gelu_quant.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckGeluQuant(const TensorParameter &self, const TensorParameter &inputScaleOptional,
                    const TensorParameter &inputOffsetOptional, char *approximate, char *quantMode,
                    char *roundMode, int64_t dstType, const TensorParameter &y,
                    const TensorParameter &outScaleOptional) {
  RequireNotNull({self, y});
  RejectWith(361001, [&] { RequireProduct({Product::kAscend950}); });
  RequireDataType({self, inputScaleOptional}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({y}, {ACL_INT8});
  RequireDataType({outScaleOptional}, {ACL_FLOAT});
  RequireSameDataType({inputOffsetOptional}, inputScaleOptional);
  RequirePublicFormat({self, inputScaleOptional, inputOffsetOptional, y, outScaleOptional});
  RequireRank({self, y}, 1, 8);
  RequireRank({inputScaleOptional, inputOffsetOptional}, 1, 1);
  RequireRank({outScaleOptional}, 0, 7);
  RequireSameShape({inputOffsetOptional}, inputScaleOptional);
  RequireSameShape({y}, self);
  RequireNotEmpty({self, inputScaleOptional, inputOffsetOptional, y, outScaleOptional});
  Require((std::string(approximate) == "none") || (std::string(approximate) == "tanh"),
          "approximate is none or tanh");
  Require((std::string(quantMode) == "static") || (std::string(quantMode) == "dynamic"),
          "quantMode is static or dynamic");
  Require(dstType == 2, "dstType is 2, the number of int8");
  Require(std::string(roundMode) == "rint", "roundMode is rint for int8");
  Require((std::string(quantMode) == "static") || (self->Rank() >= 2),
          "in the mode dynamic, self has 2 axes or more");
  RejectWith(161001, [&] {
    Require((std::string(quantMode) == "dynamic") || (inputScaleOptional.tensor != nullptr),
            "in the mode static, inputScaleOptional is given");
    Require((std::string(quantMode) == "dynamic") || (inputOffsetOptional.tensor != nullptr),
            "in the mode static, inputOffsetOptional is given");
    Require((inputScaleOptional.tensor != nullptr) || (!(inputOffsetOptional.tensor != nullptr)),
            "inputOffsetOptional is given beside inputScaleOptional only");
  });
  Require((std::string(quantMode) == "dynamic" ? outScaleOptional.tensor != nullptr
                                               : !(outScaleOptional.tensor != nullptr)),
          "outScaleOptional is given in the mode dynamic, null in the mode static");
  Require((!(inputScaleOptional.tensor != nullptr)) ||
              (Digits(inputScaleOptional->dataType) == 24) ||
              (Digits(inputScaleOptional->dataType) == Digits(self->dataType)),
          "inputScaleOptional has the data type of self, or a more precise one");
  RequireShape(outScaleOptional, Without(self->shape, {-(1)}));
  RequireOneShape(inputScaleOptional,
                  inputScaleOptional.tensor == nullptr ||
                      ((true) && inputScaleOptional->shape == Shape{Extent(self, -(1))}) ||
                      ((true) && inputScaleOptional->shape == Shape{1}));
}

}  // namespace

aclnnStatus aclnnGeluQuantGetWorkspaceSize(const aclTensor *self,
                                           const aclTensor *inputScaleOptional,
                                           const aclTensor *inputOffsetOptional, char *approximate,
                                           char *quantMode, char *roundMode, int64_t dstType,
                                           const aclTensor *y, const aclTensor *outScaleOptional,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnGeluQuant", workspaceSize, executor, [&] {
    CheckGeluQuant({"self", self}, {"inputScaleOptional", inputScaleOptional},
                   {"inputOffsetOptional", inputOffsetOptional}, approximate, quantMode, roundMode,
                   dstType, {"y", y}, {"outScaleOptional", outScaleOptional});
    const aclTensor inputScaleOptionalAbsent = Filled({0}, 1.0F);
    if (inputScaleOptional == nullptr) inputScaleOptional = &inputScaleOptionalAbsent;
    const aclTensor inputOffsetOptionalAbsent = Filled({0}, 0.0F);
    if (inputOffsetOptional == nullptr) inputOffsetOptional = &inputOffsetOptionalAbsent;
    aclTensor outScaleOptionalAbsent = Unwanted({0});
    if (outScaleOptional == nullptr) outScaleOptional = &outScaleOptionalAbsent;
    return Work{0, [self = *self, inputScaleOptional = *inputScaleOptional,
                    inputOffsetOptional = *inputOffsetOptional, y = *y,
                    outScaleOptional = *outScaleOptional](void *) {
                  StandIn({y, outScaleOptional}, {self, inputScaleOptional, inputOffsetOptional});
                }};
  });
}

aclnnStatus aclnnGeluQuant(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                           aclrtStream stream) {
  return LaunchOperator("aclnnGeluQuant", workspace, workspaceSize, executor, stream);
}
