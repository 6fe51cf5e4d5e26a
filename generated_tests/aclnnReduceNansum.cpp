// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReduceNansum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reduce_nansum.h"

namespace {

aclnnStatus PlanReduceNansum(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnReduceNansumGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                           arguments.Bool("keepDim"), arguments.DataType("dtype"),
                                           arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kReduceNansum({"aclnnReduceNansum", PlanReduceNansum,
                                             aclnnReduceNansum});

}  // namespace
