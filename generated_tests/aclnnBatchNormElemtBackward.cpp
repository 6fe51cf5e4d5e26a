// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBatchNormElemtBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_batch_norm_elemt_backward.h"

namespace {

aclnnStatus PlanBatchNormElemtBackward(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnBatchNormElemtBackwardGetWorkspaceSize(
      arguments.Tensor("gradOut"), arguments.Tensor("input"), arguments.Tensor("mean"),
      arguments.Tensor("invstd"), arguments.Tensor("weight"), arguments.Tensor("sumDy"),
      arguments.Tensor("sumDyXmu"), arguments.Tensor("counter"), arguments.Tensor("gradInput"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kBatchNormElemtBackward({"aclnnBatchNormElemtBackward",
                                                       PlanBatchNormElemtBackward,
                                                       aclnnBatchNormElemtBackward});

}  // namespace
