// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogicalOr.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logical_or.h"

namespace {

aclnnStatus PlanLogicalOr(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnLogicalOrGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogicalOr({"aclnnLogicalOr", PlanLogicalOr, aclnnLogicalOr});

}  // namespace
