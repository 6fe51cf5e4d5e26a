// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReduceLogSum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reduce_log_sum.h"

namespace {

aclnnStatus PlanReduceLogSum(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnReduceLogSumGetWorkspaceSize(
      arguments.Tensor("data"), arguments.IntArray("axes"), arguments.Bool("keepDims"),
      arguments.Bool("noopWithEmptyAxes"), arguments.Tensor("reduce"), workspaceSize, executor);
}

const aclnn_cts::Registration kReduceLogSum({"aclnnReduceLogSum", PlanReduceLogSum,
                                             aclnnReduceLogSum});

}  // namespace
