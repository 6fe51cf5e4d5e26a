// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSigmoidForward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logsigmoid.h"

namespace {

aclnnStatus PlanLogSigmoidForward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnLogSigmoidForwardGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                                arguments.Tensor("buffer"), workspaceSize,
                                                executor);
}

const aclnn_cts::Registration kLogSigmoidForward({"aclnnLogSigmoidForward", PlanLogSigmoidForward,
                                                  aclnnLogSigmoidForward});

}  // namespace
