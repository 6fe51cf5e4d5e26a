// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSigmoidBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sigmoid_backward.h"

namespace {

aclnnStatus PlanSigmoidBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnSigmoidBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("output"), arguments.Tensor("gradInput"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kSigmoidBackward({"aclnnSigmoidBackward", PlanSigmoidBackward,
                                                aclnnSigmoidBackward});

}  // namespace
