// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeGluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_geglu_backward.h"

namespace {

aclnnStatus PlanGeGluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnGeGluBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"),
                                            arguments.Tensor("self"), arguments.Tensor("gelu"),
                                            arguments.Int64("dim"), arguments.Int64("approximate"),
                                            arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeGluBackward({"aclnnGeGluBackward", PlanGeGluBackward,
                                              aclnnGeGluBackward});

}  // namespace
