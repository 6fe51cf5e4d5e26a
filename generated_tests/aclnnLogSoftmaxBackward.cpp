// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSoftmaxBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logsoftmax_backward.h"

namespace {

aclnnStatus PlanLogSoftmaxBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnLogSoftmaxBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"),
                                                 arguments.Tensor("output"), arguments.Int64("dim"),
                                                 arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogSoftmaxBackward({"aclnnLogSoftmaxBackward",
                                                   PlanLogSoftmaxBackward,
                                                   aclnnLogSoftmaxBackward});

}  // namespace
