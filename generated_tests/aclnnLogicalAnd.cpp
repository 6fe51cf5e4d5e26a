// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogicalAnd.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logical_and.h"

namespace {

aclnnStatus PlanLogicalAnd(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnLogicalAndGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogicalAnd({"aclnnLogicalAnd", PlanLogicalAnd, aclnnLogicalAnd});

}  // namespace
