// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCrossEntropySumExpAndIndexLogit.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cross_entropy_sum_exp_and_index_logit.h"

namespace {

aclnnStatus PlanCrossEntropySumExpAndIndexLogit(const aclnn_cts::Arguments &arguments,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnCrossEntropySumExpAndIndexLogitGetWorkspaceSize(
      arguments.Tensor("vocabParallelLogits"), arguments.Tensor("target"),
      arguments.Tensor("globalLogitsMax"), arguments.Int64("vocabStartIndex"),
      arguments.Int64("vocabEndIndex"), arguments.Tensor("predictedLogitsOut"),
      arguments.Tensor("sumExpLogitsOut"), arguments.Tensor("expLogitsOut"),
      arguments.Tensor("targetOffsetOut"), arguments.Tensor("targetMaskOut"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kCrossEntropySumExpAndIndexLogit(
    {"aclnnCrossEntropySumExpAndIndexLogit", PlanCrossEntropySumExpAndIndexLogit,
     aclnnCrossEntropySumExpAndIndexLogit});

}  // namespace
