// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSoftmax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logsoftmax.h"

namespace {

aclnnStatus PlanLogSoftmax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnLogSoftmaxGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogSoftmax({"aclnnLogSoftmax", PlanLogSoftmax, aclnnLogSoftmax});

}  // namespace
