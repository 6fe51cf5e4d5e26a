// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCtcLoss.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_ctc_loss.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckCtcLoss(const TensorParameter &logProbs, const TensorParameter &targets,
                  const IntArrayParameter &inputLengths, const IntArrayParameter &targetLengths,
                  int64_t blank, const TensorParameter &negLogLikelihoodOut,
                  const TensorParameter &logAlphaOut) {
  RequireNotNull({logProbs, targets, negLogLikelihoodOut, logAlphaOut},
                 {inputLengths, targetLengths});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({logProbs}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE});
  RequireDataType({targets}, {ACL_INT64, ACL_INT32, ACL_BOOL, ACL_FLOAT, ACL_FLOAT16});
  RequireSameDataType({negLogLikelihoodOut, logAlphaOut}, logProbs);
  RequirePublicFormat({logProbs, targets, negLogLikelihoodOut, logAlphaOut});
  RequireRank({logProbs}, 2, 3);
  RequireRank({targets}, 1, 2);
  RequireRank({negLogLikelihoodOut}, 0, 1);
  RequireRank({logAlphaOut}, 3, 3);
  Require(Extent(logProbs, 2) > 0, "there are classes");
  Require(Length(Numbers(inputLengths)) == Extent(logProbs, 1), "inputLengths has N numbers");
  Require((Least(Numbers(inputLengths)) >= 1) &&
              (Greatest(Numbers(inputLengths)) <= Extent(logProbs, 0)),
          "the numbers of inputLengths are from 1 to T");
  Require(Length(Numbers(targetLengths)) == Extent(logProbs, 1), "targetLengths has N numbers");
  Require((Least(Numbers(targetLengths)) >= 1) &&
              (Greatest(Numbers(targetLengths)) <= Extent(targets, 1)),
          "the numbers of targetLengths are from 1 to S");
  Require(((2 * Greatest(Numbers(targetLengths))) - 1) <= Least(Numbers(inputLengths)),
          "the numbers of targetLengths are at most those of inputLengths; each case has time for "
          "equal labels with blanks between them");
  Require(0 <= blank && blank < Extent(logProbs, 2), "blank is from 0 to below C");
  Require(blank != 0, "blank is no label, which each case has as 0");
  if (IsOn({Product::kAscend950}))
    Require(Extent(logAlphaOut, 2) == ((2 * Greatest(Numbers(targetLengths))) + 1),
            "the last extent of logAlphaOut is twice the largest target length and 1");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2}))
    Require(Extent(logAlphaOut, 2) == ((2 * Greatest(Numbers(targetLengths))) + 8),
            "the last extent of logAlphaOut is twice the largest target length and 8");
  if (IsOn({Product::kAtlasA3, Product::kAtlasA2}))
    Require((Greatest(Numbers(targetLengths)) % 4) == 0,
            "the largest target length is a multiple of 4, for which a division by 8 that rounds "
            "down changes nothing in the formula");
  RequireShape(targets, {Extent(logProbs, 1), Extent(targets, 1)});
  RequireShape(negLogLikelihoodOut, {Extent(logProbs, 1)});
  RequireShape(logAlphaOut, {Extent(logProbs, 1), Extent(logProbs, 0), Extent(logAlphaOut, 2)});
}

}  // namespace

aclnnStatus aclnnCtcLossGetWorkspaceSize(const aclTensor *logProbs, const aclTensor *targets,
                                         const aclIntArray *inputLengths,
                                         const aclIntArray *targetLengths, int64_t blank,
                                         bool zeroInfinity, aclTensor *negLogLikelihoodOut,
                                         aclTensor *logAlphaOut, uint64_t *workspaceSize,
                                         aclOpExecutor **executor) {
  static_cast<void>(zeroInfinity);
  return PlanOperator("aclnnCtcLoss", workspaceSize, executor, [&] {
    CheckCtcLoss({"logProbs", logProbs}, {"targets", targets}, {"inputLengths", inputLengths},
                 {"targetLengths", targetLengths}, blank,
                 {"negLogLikelihoodOut", negLogLikelihoodOut}, {"logAlphaOut", logAlphaOut});
    return Work{
        0, [logProbs = *logProbs, targets = *targets, negLogLikelihoodOut = *negLogLikelihoodOut,
            logAlphaOut = *logAlphaOut](void *) {
          StandIn({negLogLikelihoodOut, logAlphaOut}, {logProbs, targets});
        }};
  });
}

aclnnStatus aclnnCtcLoss(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                         aclrtStream stream) {
  return LaunchOperator("aclnnCtcLoss", workspace, workspaceSize, executor, stream);
}
