// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dropout_backward.h"

namespace {

aclnnStatus PlanDropoutBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnDropoutBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"),
                                              arguments.Tensor("mask"), arguments.Double("scale"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kDropoutBackward({"aclnnDropoutBackward", PlanDropoutBackward,
                                                aclnnDropoutBackward});

}  // namespace
