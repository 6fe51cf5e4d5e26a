// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFusedCrossEntropyLossWithMaxSum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnnop/aclnn_fused_cross_entropy_loss_with_max_sum.h"
#include "nnopbase/checks.h"
#include "nnopbase/elements.h"
#include "nnopbase/executor.h"
#include "nnopbase/stand_in.h"

using namespace simulator;

namespace {

void CheckFusedCrossEntropyLossWithMaxSum(
    const TensorParameter &logitsMax, const TensorParameter &sumExpLogits,
    const TensorParameter &predictedLogits, float labelSmoothing,
    const TensorParameter &inputOptional, const TensorParameter &weightOptional,
    const TensorParameter &vocabParallelLogitsOptional, const TensorParameter &lossOut,
    const TensorParameter &softMaxOutOptional) {
  RequireNotNull({logitsMax, sumExpLogits, predictedLogits, lossOut});
  RequireProduct({Product::kAscend950, Product::kAtlasA3, Product::kAtlasA2});
  RequireDataType({logitsMax, sumExpLogits, predictedLogits, inputOptional, weightOptional, lossOut,
                   softMaxOutOptional},
                  {ACL_FLOAT});
  RequireDataType({vocabParallelLogitsOptional}, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
  RequirePublicFormat({logitsMax, sumExpLogits, predictedLogits, inputOptional, weightOptional,
                       vocabParallelLogitsOptional, lossOut, softMaxOutOptional});
  RequireRank({logitsMax, sumExpLogits, predictedLogits, lossOut}, 1, 1);
  RequireRank({vocabParallelLogitsOptional, softMaxOutOptional}, 2, 2);
  RequireContiguous({inputOptional, weightOptional});
  Require(labelSmoothing == 0, "labelSmoothing is 0");
  Require(!(inputOptional.tensor != nullptr), "inputOptional is a null pointer");
  Require(!(weightOptional.tensor != nullptr), "weightOptional is a null pointer");
  Require(
      (vocabParallelLogitsOptional.tensor != nullptr) || (!(softMaxOutOptional.tensor != nullptr)),
      "softMaxOutOptional is computed from vocabParallelLogitsOptional");
  RequireShape(sumExpLogits, {Extent(logitsMax, 0)});
  RequireShape(predictedLogits, {Extent(logitsMax, 0)});
  RequireShape(inputOptional, {1});
  RequireShape(weightOptional, {1});
  RequireShape(vocabParallelLogitsOptional,
               {Extent(logitsMax, 0), Extent(vocabParallelLogitsOptional, 1)});
  RequireShape(lossOut, {Extent(logitsMax, 0)});
  RequireShape(softMaxOutOptional, {Extent(logitsMax, 0), Extent(vocabParallelLogitsOptional, 1)});
}

}  // namespace

aclnnStatus aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(
    const aclTensor *logitsMax, const aclTensor *sumExpLogits, const aclTensor *predictedLogits,
    float labelSmoothing, const aclTensor *inputOptional, const aclTensor *weightOptional,
    const aclTensor *vocabParallelLogitsOptional, aclTensor *lossOut, aclTensor *softMaxOutOptional,
    uint64_t *workspaceSize, aclOpExecutor **executor) {
  return PlanOperator("aclnnFusedCrossEntropyLossWithMaxSum", workspaceSize, executor, [&] {
    CheckFusedCrossEntropyLossWithMaxSum(
        {"logitsMax", logitsMax}, {"sumExpLogits", sumExpLogits},
        {"predictedLogits", predictedLogits}, labelSmoothing, {"inputOptional", inputOptional},
        {"weightOptional", weightOptional},
        {"vocabParallelLogitsOptional", vocabParallelLogitsOptional}, {"lossOut", lossOut},
        {"softMaxOutOptional", softMaxOutOptional});
    const aclTensor inputOptionalAbsent = Filled({0}, 0.0F);
    if (inputOptional == nullptr) inputOptional = &inputOptionalAbsent;
    const aclTensor weightOptionalAbsent = Filled({0}, 0.0F);
    if (weightOptional == nullptr) weightOptional = &weightOptionalAbsent;
    const aclTensor vocabParallelLogitsOptionalAbsent = Filled({0}, 0.0F);
    if (vocabParallelLogitsOptional == nullptr)
      vocabParallelLogitsOptional = &vocabParallelLogitsOptionalAbsent;
    aclTensor softMaxOutOptionalAbsent = Unwanted({0});
    if (softMaxOutOptional == nullptr) softMaxOutOptional = &softMaxOutOptionalAbsent;
    return Work{0, [logitsMax = *logitsMax, sumExpLogits = *sumExpLogits,
                    predictedLogits = *predictedLogits, inputOptional = *inputOptional,
                    weightOptional = *weightOptional,
                    vocabParallelLogitsOptional = *vocabParallelLogitsOptional, lossOut = *lossOut,
                    softMaxOutOptional = *softMaxOutOptional](void *) {
                  StandIn({lossOut, softMaxOutOptional},
                          {logitsMax, sumExpLogits, predictedLogits, inputOptional, weightOptional,
                           vocabParallelLogitsOptional});
                }};
  });
}

aclnnStatus aclnnFusedCrossEntropyLossWithMaxSum(void *workspace, uint64_t workspaceSize,
                                                 aclOpExecutor *executor, aclrtStream stream) {
  return LaunchOperator("aclnnFusedCrossEntropyLossWithMaxSum", workspace, workspaceSize, executor,
                        stream);
}
