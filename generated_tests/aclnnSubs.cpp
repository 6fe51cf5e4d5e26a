// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSubs.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sub.h"

namespace {

aclnnStatus PlanSubs(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnSubsGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                   arguments.Scalar("alpha"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kSubs({"aclnnSubs", PlanSubs, aclnnSubs});

}  // namespace
