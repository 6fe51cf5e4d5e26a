// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnVarMean.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_var_mean.h"

namespace {

aclnnStatus PlanVarMean(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnVarMeanGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                      arguments.Int64("correction"), arguments.Bool("keepdim"),
                                      arguments.Tensor("varOut"), arguments.Tensor("meanOut"),
                                      workspaceSize, executor);
}

const aclnn_cts::Registration kVarMean({"aclnnVarMean", PlanVarMean, aclnnVarMean});

}  // namespace
