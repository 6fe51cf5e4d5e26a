// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSigmoidBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logsigmoid_backward.h"

namespace {

aclnnStatus PlanLogSigmoidBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnLogSigmoidBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("buffer"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogSigmoidBackward({"aclnnLogSigmoidBackward",
                                                   PlanLogSigmoidBackward,
                                                   aclnnLogSigmoidBackward});

}  // namespace
