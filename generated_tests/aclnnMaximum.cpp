// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMaximum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_maximum.h"

namespace {

aclnnStatus PlanMaximum(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnMaximumGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMaximum({"aclnnMaximum", PlanMaximum, aclnnMaximum});

}  // namespace
