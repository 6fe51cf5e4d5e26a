// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMean.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_mean.h"

namespace {

aclnnStatus PlanMean(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnMeanGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                   arguments.Bool("keepDim"), arguments.DataType("dtype"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMean({"aclnnMean", PlanMean, aclnnMean});

}  // namespace
