// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTake.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_take.h"

namespace {

aclnnStatus PlanTake(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnTakeGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("index"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kTake({"aclnnTake", PlanTake, aclnnTake});

}  // namespace
