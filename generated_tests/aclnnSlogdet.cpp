// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSlogdet.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_slogdet.h"

namespace {

aclnnStatus PlanSlogdet(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnSlogdetGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("signOut"),
                                      arguments.Tensor("logOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kSlogdet({"aclnnSlogdet", PlanSlogdet, aclnnSlogdet});

}  // namespace
