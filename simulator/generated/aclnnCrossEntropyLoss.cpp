// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCrossEntropyLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_cross_entropy_loss.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckCrossEntropyLoss(const TensorParameter &input, const TensorParameter &target,
                           const TensorParameter &weightOptional, char *reductionOptional,
                           double labelSmoothing, const TensorParameter &lossOut,
                           const TensorParameter &logProbOut, const TensorParameter &zlossOut,
                           const TensorParameter &lseForZlossOut) {
  RequireNotNull({input, target, lossOut, logProbOut, zlossOut, lseForZlossOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({input}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({target}, {ACL_INT64, ACL_INT32});
  RequireDataType({weightOptional}, {ACL_FLOAT});
  RequireSameDataType({lossOut, logProbOut, zlossOut, lseForZlossOut}, input);
  RequirePublicFormat(
      {input, target, weightOptional, lossOut, logProbOut, zlossOut, lseForZlossOut});
  RequireRank({input, logProbOut}, 2, 2);
  RequireRank({target, weightOptional, lossOut, zlossOut, lseForZlossOut}, 1, 1);
  RejectWith(561002, [&] {
    RequireSameShape({logProbOut}, input);
    RequireSameShape({zlossOut}, lossOut);
  });
  RequireContiguous({lossOut, logProbOut, zlossOut, lseForZlossOut});
  RejectWith(561002, [&] {
    Require((std::string(reductionOptional) == "mean") ||
                (std::string(reductionOptional) == "sum") ||
                (std::string(reductionOptional) == "none"),
            "reductionOptional is mean, sum or none");
    Require(0 <= labelSmoothing && labelSmoothing <= 1, "labelSmoothing lies between 0 and 1");
    RequireShape(lossOut,
                 std::string(reductionOptional) == "none" ? Shape{Extent(input, 0)} : Shape{1});
    RequireShape(target, {Extent(input, 0)});
    RequireShape(weightOptional, {Extent(input, 1)});
    RequireShape(lseForZlossOut, {Extent(input, 0)});
  });
}

}  // namespace

aclnnStatus aclnnCrossEntropyLossGetWorkspaceSize(
    const aclTensor *input, const aclTensor *target, const aclTensor *weightOptional,
    char *reductionOptional, int64_t ignoreIndex, double labelSmoothing,
    double lseSquareScaleForZloss, bool returnZloss, const aclTensor *lossOut,
    const aclTensor *logProbOut, const aclTensor *zlossOut, const aclTensor *lseForZlossOut,
    uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(ignoreIndex);
  static_cast<void>(lseSquareScaleForZloss);
  static_cast<void>(returnZloss);
  return PlanOperator("aclnnCrossEntropyLoss", workspaceSize, executor, [&] {
    CheckCrossEntropyLoss({"input", input}, {"target", target}, {"weightOptional", weightOptional},
                          reductionOptional, labelSmoothing, {"lossOut", lossOut},
                          {"logProbOut", logProbOut}, {"zlossOut", zlossOut},
                          {"lseForZlossOut", lseForZlossOut});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    return Work{
        0,
        [input = *input, target = *target, weightOptional = *weightOptional, lossOut = *lossOut,
         logProbOut = *logProbOut, zlossOut = *zlossOut, lseForZlossOut = *lseForZlossOut](void *) {
          StandIn({lossOut, logProbOut, zlossOut, lseForZlossOut}, {input, target, weightOptional});
        }};
  });
}

aclnnStatus aclnnCrossEntropyLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                  aclrtStream stream) {
  return LaunchOperator("aclnnCrossEntropyLoss", workspace, workspaceSize, executor, stream);
}
