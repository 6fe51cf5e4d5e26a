// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftmaxBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_softmax_backward.h"

namespace {

aclnnStatus PlanSoftmaxBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnSoftmaxBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"),
                                              arguments.Tensor("output"), arguments.Int64("dim"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kSoftmaxBackward({"aclnnSoftmaxBackward", PlanSoftmaxBackward,
                                                aclnnSoftmaxBackward});

}  // namespace
