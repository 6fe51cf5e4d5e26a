// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSumExp.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logsumexp.h"

namespace {

aclnnStatus PlanLogSumExp(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnLogSumExpGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dim"),
                                        arguments.Bool("keepDim"), arguments.Tensor("out"),
                                        workspaceSize, executor);
}

const aclnn_cts::Registration kLogSumExp({"aclnnLogSumExp", PlanLogSumExp, aclnnLogSumExp});

}  // namespace
