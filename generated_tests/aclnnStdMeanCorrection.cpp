// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnStdMeanCorrection.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_std_mean_correction.h"

namespace {

aclnnStatus PlanStdMeanCorrection(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnStdMeanCorrectionGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("dim"), arguments.Int64("correction"),
      arguments.Bool("keepdim"), arguments.Tensor("stdOut"), arguments.Tensor("meanOut"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kStdMeanCorrection({"aclnnStdMeanCorrection", PlanStdMeanCorrection,
                                                  aclnnStdMeanCorrection});

}  // namespace
