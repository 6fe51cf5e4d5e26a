// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCrossEntropyLossGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_cross_entropy_loss_grad.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckCrossEntropyLossGrad(const TensorParameter &gradLoss, const TensorParameter &logProb,
                               const TensorParameter &target, const TensorParameter &weightOptional,
                               const TensorParameter &gradZlossOptional,
                               const TensorParameter &lseForZlossOptional, char *reductionOptional,
                               double labelSmoothing, const TensorParameter &out) {
  RequireNotNull({gradLoss, logProb, target, out});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({gradLoss}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequireDataType({target}, {ACL_INT64});
  RequireDataType({weightOptional}, {ACL_FLOAT});
  RequireSameDataType({logProb, gradZlossOptional, lseForZlossOptional, out}, gradLoss);
  RequirePublicFormat(
      {gradLoss, logProb, target, weightOptional, gradZlossOptional, lseForZlossOptional, out});
  RequireRank({gradLoss, gradZlossOptional}, 0, 1);
  RequireRank({logProb, out}, 2, 2);
  RequireRank({target, weightOptional, lseForZlossOptional}, 1, 1);
  RejectWith(561002, [&] {
    RequireSameShape({gradZlossOptional}, gradLoss);
    RequireSameShape({out}, logProb);
  });
  RequireContiguous(
      {gradLoss, logProb, target, weightOptional, gradZlossOptional, lseForZlossOptional, out});
  Require((std::string(reductionOptional) == "mean") || (std::string(reductionOptional) == "sum") ||
              (std::string(reductionOptional) == "none"),
          "reductionOptional is mean, sum or none");
  Require(labelSmoothing == 0, "labelSmoothing is 0");
  RejectWith(561002, [&] {
    RequireOneShape(gradLoss,
                    ((std::string(reductionOptional) != "none") && gradLoss->shape == Shape{}) ||
                        ((std::string(reductionOptional) == "none") &&
                         gradLoss->shape == Shape{Extent(logProb, 0)}));
    RequireShape(target, {Extent(logProb, 0)});
    RequireShape(weightOptional, {Extent(logProb, 1)});
    RequireShape(lseForZlossOptional, {Extent(logProb, 0)});
  });
}

}  // namespace

aclnnStatus aclnnCrossEntropyLossGradGetWorkspaceSize(
    const aclTensor *gradLoss, const aclTensor *logProb, const aclTensor *target,
    const aclTensor *weightOptional, const aclTensor *gradZlossOptional,
    const aclTensor *lseForZlossOptional, char *reductionOptional, int64_t ignoreIndex,
    double labelSmoothing, double lseSquareScaleForZloss, const aclTensor *out,
    uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(ignoreIndex);
  static_cast<void>(lseSquareScaleForZloss);
  return PlanOperator("aclnnCrossEntropyLossGrad", workspaceSize, executor, [&] {
    CheckCrossEntropyLossGrad({"gradLoss", gradLoss}, {"logProb", logProb}, {"target", target},
                              {"weightOptional", weightOptional},
                              {"gradZlossOptional", gradZlossOptional},
                              {"lseForZlossOptional", lseForZlossOptional}, reductionOptional,
                              labelSmoothing, {"out", out});
    const aclTensor weightOptionalAbsent = Filled({0}, 1.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor gradZlossOptionalAbsent = Filled({0}, 0.0F);
    if (gradZlossOptional == nullptr) gradZlossOptional = &gradZlossOptionalAbsent;
    const aclTensor lseForZlossOptionalAbsent = Filled({0}, 0.0F);
    if (lseForZlossOptional == nullptr) lseForZlossOptional = &lseForZlossOptionalAbsent;
    return Work{0, [gradLoss = *gradLoss, logProb = *logProb, target = *target,
                    weightOptional = *weightOptional, gradZlossOptional = *gradZlossOptional,
                    lseForZlossOptional = *lseForZlossOptional, out = *out](void *) {
                  StandIn({out}, {gradLoss, logProb, target, weightOptional, gradZlossOptional,
                                  lseForZlossOptional});
                }};
  });
}

aclnnStatus aclnnCrossEntropyLossGrad(void *workspace, uint64_t workspaceSize,
                                      aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnCrossEntropyLossGrad", workspace, workspaceSize, executor, stream);
}
