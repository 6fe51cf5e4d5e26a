// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCrossEntropySumExpAndIndexLogit.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_cross_entropy_sum_exp_and_index_logit.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckCrossEntropySumExpAndIndexLogit(
    const TensorParameter &vocabParallelLogits, const TensorParameter &target,
    const TensorParameter &globalLogitsMax, int64_t vocabStartIndex, int64_t vocabEndIndex,
    const TensorParameter &predictedLogitsOut, const TensorParameter &sumExpLogitsOut,
    const TensorParameter &expLogitsOut, const TensorParameter &targetOffsetOut,
    const TensorParameter &targetMaskOut) {
  RequireNotNull({vocabParallelLogits, target, globalLogitsMax, predictedLogitsOut, sumExpLogitsOut,
                  expLogitsOut, targetOffsetOut, targetMaskOut});
  RequireProduct({Product::kAscend950});
  RequireDataType({vocabParallelLogits}, {ACL_FLOAT, ACL_BF16});
  RequireDataType({target, targetOffsetOut, targetMaskOut}, {ACL_INT32});
  RequireDataType({predictedLogitsOut, sumExpLogitsOut, expLogitsOut}, {ACL_FLOAT});
  RequireSameDataType({globalLogitsMax}, vocabParallelLogits);
  RequirePublicFormat({vocabParallelLogits, target, globalLogitsMax, predictedLogitsOut,
                       sumExpLogitsOut, expLogitsOut, targetOffsetOut, targetMaskOut});
  RequireRank({vocabParallelLogits, expLogitsOut}, 2, 3);
  RequireRank({target, globalLogitsMax, predictedLogitsOut, sumExpLogitsOut, targetOffsetOut,
               targetMaskOut},
              1, 2);
  RequireSameShape(
      {globalLogitsMax, predictedLogitsOut, sumExpLogitsOut, targetOffsetOut, targetMaskOut},
      target);
  RequireSameShape({expLogitsOut}, vocabParallelLogits);
  RequireNotEmpty({vocabParallelLogits, target, globalLogitsMax});
  RequireContiguous(
      {predictedLogitsOut, sumExpLogitsOut, expLogitsOut, targetOffsetOut, targetMaskOut});
  Require(vocabStartIndex >= 0, "vocabStartIndex is 0 or above");
  Require((vocabEndIndex - vocabStartIndex) == Extent(vocabParallelLogits, -1),
          "vocabEndIndex lies behind vocabStartIndex by the last extent of vocabParallelLogits");
  Require(
      ((Extent(vocabParallelLogits, -1) * ElementBits(vocabParallelLogits->dataType) / 8) % 32) ==
          0,
      "the last extent of vocabParallelLogits is a multiple of 16 in bfloat16, of 8 in float32");
  Require(ElementCount(Shape(vocabParallelLogits->shape.begin(),
                             vocabParallelLogits->shape.end() - 1)) <= 32000,
          "there are at most 32 K tokens, that is 32000 or 32768");
  Require(16 <= Extent(vocabParallelLogits, -1) && Extent(vocabParallelLogits, -1) <= 200000,
          "the last extent of vocabParallelLogits is from 16 to 200 K, that is 200000 or 204800");
  RequireShape(target,
               Shape(vocabParallelLogits->shape.begin(), vocabParallelLogits->shape.end() - 1));
}

}  // namespace

aclnnStatus aclnnCrossEntropySumExpAndIndexLogitGetWorkspaceSize(
    const aclTensor *vocabParallelLogits, const aclTensor *target, const aclTensor *globalLogitsMax,
    int64_t vocabStartIndex, int64_t vocabEndIndex, const aclTensor *predictedLogitsOut,
    const aclTensor *sumExpLogitsOut, const aclTensor *expLogitsOut,
    const aclTensor *targetOffsetOut, const aclTensor *targetMaskOut, uint64_t *workspaceSize,
    aclOpExecutor **executor) {
  return PlanOperator("aclnnCrossEntropySumExpAndIndexLogit", workspaceSize, executor, [&] {
    CheckCrossEntropySumExpAndIndexLogit(
        {"vocabParallelLogits", vocabParallelLogits}, {"target", target},
        {"globalLogitsMax", globalLogitsMax}, vocabStartIndex, vocabEndIndex,
        {"predictedLogitsOut", predictedLogitsOut}, {"sumExpLogitsOut", sumExpLogitsOut},
        {"expLogitsOut", expLogitsOut}, {"targetOffsetOut", targetOffsetOut},
        {"targetMaskOut", targetMaskOut});
    return Work{0, [vocabParallelLogits = *vocabParallelLogits, target = *target,
                    globalLogitsMax = *globalLogitsMax, predictedLogitsOut = *predictedLogitsOut,
                    sumExpLogitsOut = *sumExpLogitsOut, expLogitsOut = *expLogitsOut,
                    targetOffsetOut = *targetOffsetOut, targetMaskOut = *targetMaskOut](void *) {
                  StandInBySample({predictedLogitsOut, sumExpLogitsOut, expLogitsOut,
                                   targetOffsetOut, targetMaskOut},
                                  {vocabParallelLogits, target, globalLogitsMax});
                }};
  });
}

aclnnStatus aclnnCrossEntropySumExpAndIndexLogit(void *workspace, uint64_t workspaceSize,
                                                 aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnCrossEntropySumExpAndIndexLogit", workspace, workspaceSize, executor,
                        stream);
}
