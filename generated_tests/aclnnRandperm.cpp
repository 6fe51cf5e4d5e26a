// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRandperm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_randperm.h"

namespace {

aclnnStatus PlanRandperm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnRandpermGetWorkspaceSize(arguments.Int64("n"), arguments.Int64("seed"),
                                       arguments.Int64("offset"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kRandperm({"aclnnRandperm", PlanRandperm, aclnnRandperm});

}  // namespace
