// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGluBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_glu_backward.h"

namespace {

aclnnStatus PlanGluBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnGluBackwardGetWorkspaceSize(arguments.Tensor("gradOut"), arguments.Tensor("self"),
                                          arguments.Int64("dim"), arguments.Tensor("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kGluBackward({"aclnnGluBackward", PlanGluBackward, aclnnGluBackward});

}  // namespace
