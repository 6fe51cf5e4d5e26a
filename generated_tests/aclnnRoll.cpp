// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRoll.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_roll.h"

namespace {

aclnnStatus PlanRoll(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnRollGetWorkspaceSize(arguments.Tensor("x"), arguments.IntArray("shifts"),
                                   arguments.IntArray("dims"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kRoll({"aclnnRoll", PlanRoll, aclnnRoll});

}  // namespace
