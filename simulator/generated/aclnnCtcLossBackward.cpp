// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCtcLossBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_ctc_loss_backward.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckCtcLossBackward(const TensorParameter &gradOut, const TensorParameter &logProbs,
                          const TensorParameter &targets, const IntArrayParameter &inputLengths,
                          const IntArrayParameter &targetLengths,
                          const TensorParameter &negLogLikelihood, const TensorParameter &logAlpha,
                          int64_t blank, const TensorParameter &out) {
  RequireNotNull({gradOut, logProbs, targets, negLogLikelihood, logAlpha, out},
                 {inputLengths, targetLengths});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2,
                  Product::kAtlasInference, Product::kAtlasTraining});
  RequireDataType({logProbs}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({targets}, {ACL_INT64, ACL_INT32});
  RequireDataType({logProbs}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasInference);
  RequireDataType({logProbs}, {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}, Product::kAtlasTraining);
  RequireSameDataType({gradOut, negLogLikelihood, logAlpha}, logProbs);
  RequireSameDataType({out}, gradOut);
  RequirePublicFormat({gradOut, logProbs, targets, negLogLikelihood, logAlpha, out});
  RequireRank({gradOut, negLogLikelihood}, 1, 1);
  RequireRank({logProbs, logAlpha, out}, 3, 3);
  RequireRank({targets}, 1, 2);
  Require(Length(Numbers(inputLengths)) == Extent(gradOut, 0), "inputLengths has N numbers");
  Require((Least(Numbers(inputLengths)) >= 1) &&
              (Greatest(Numbers(inputLengths)) <= Extent(logProbs, 0)),
          "the numbers of inputLengths are at most T, and at least 1 as the forward operator wants "
          "them");
  Require(Length(Numbers(targetLengths)) == Extent(gradOut, 0), "targetLengths has N numbers");
  Require((Least(Numbers(targetLengths)) >= 1) &&
              (Greatest(Numbers(targetLengths)) <= Extent(targets, 1)) &&
              (Greatest(Numbers(targetLengths)) <= Least(Numbers(inputLengths))),
          "the numbers of targetLengths are at most S, and from 1 to those of inputLengths as the "
          "forward operator wants them");
  Require(Extent(logAlpha, 2) >= ((2 * Greatest(Numbers(targetLengths))) + 1),
          "the last extent of logAlpha is at least twice the largest target length and 1");
  Require(0 <= blank && blank < Extent(logProbs, 2), "blank is from 0 to below C");
  Require(blank != 0, "blank is no label, which each case has as 0");
  RequireShape(logProbs, {Extent(logProbs, 0), Extent(gradOut, 0), Extent(logProbs, 2)});
  RequireShape(targets, {Extent(gradOut, 0), Extent(targets, 1)});
  RequireShape(negLogLikelihood, {Extent(gradOut, 0)});
  RequireShape(logAlpha, {Extent(gradOut, 0), Extent(logProbs, 0), Extent(logAlpha, 2)});
  RequireShape(out, {Extent(logProbs, 0), Extent(gradOut, 0), Extent(logProbs, 2)});
}

}  // namespace

aclnnStatus aclnnCtcLossBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *logProbs, const aclTensor *targets,
    const aclIntArray *inputLengths, const aclIntArray *targetLengths,
    const aclTensor *negLogLikelihood, const aclTensor *logAlpha, int64_t blank, bool zeroInfinity,
    aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor) {
  static_cast<void>(zeroInfinity);
  return PlanOperator("aclnnCtcLossBackward", workspaceSize, executor, [&] {
    CheckCtcLossBackward({"gradOut", gradOut}, {"logProbs", logProbs}, {"targets", targets},
                         {"inputLengths", inputLengths}, {"targetLengths", targetLengths},
                         {"negLogLikelihood", negLogLikelihood}, {"logAlpha", logAlpha}, blank,
                         {"out", out});
    return Work{0,
                [gradOut = *gradOut, logProbs = *logProbs, targets = *targets,
                 negLogLikelihood = *negLogLikelihood, logAlpha = *logAlpha, out = *out](void *) {
                  StandIn({out}, {gradOut, logProbs, targets, negLogLikelihood, logAlpha});
                }};
  });
}

aclnnStatus aclnnCtcLossBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                 aclrtStream stream) {
  return LaunchOperator("aclnnCtcLossBackward", workspace, workspaceSize, executor, stream);
}
