// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReduceSum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reduce_sum.h"

namespace {

aclnnStatus PlanReduceSum(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnReduceSumGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dims"),
                                        arguments.Bool("keepDims"), arguments.DataType("dtype"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kReduceSum({"aclnnReduceSum", PlanReduceSum, aclnnReduceSum});

}  // namespace
