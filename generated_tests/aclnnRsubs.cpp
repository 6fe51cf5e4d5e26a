// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRsubs.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rsub.h"

namespace {

aclnnStatus PlanRsubs(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnRsubsGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                    arguments.Scalar("alpha"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kRsubs({"aclnnRsubs", PlanRsubs, aclnnRsubs});

}  // namespace
