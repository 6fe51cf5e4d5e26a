// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReciprocal.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reciprocal.h"

namespace {

aclnnStatus PlanReciprocal(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnReciprocalGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kReciprocal({"aclnnReciprocal", PlanReciprocal, aclnnReciprocal});

}  // namespace
