// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPdistForward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_pdist_forward.h"

namespace {

aclnnStatus PlanPdistForward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnPdistForwardGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("pScalar"),
                                           arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kPdistForward({"aclnnPdistForward", PlanPdistForward,
                                             aclnnPdistForward});

}  // namespace
