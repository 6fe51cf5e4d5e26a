// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRsub.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rsub.h"

namespace {

aclnnStatus PlanRsub(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnRsubGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                   arguments.Scalar("alpha"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kRsub({"aclnnRsub", PlanRsub, aclnnRsub});

}  // namespace
