// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBitwiseNot.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_not.h"

namespace {

aclnnStatus PlanBitwiseNot(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnBitwiseNotGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kBitwiseNot({"aclnnBitwiseNot", PlanBitwiseNot, aclnnBitwiseNot});

}  // namespace
