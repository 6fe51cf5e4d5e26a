// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMinimum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_minimum.h"

namespace {

aclnnStatus PlanMinimum(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnMinimumGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMinimum({"aclnnMinimum", PlanMinimum, aclnnMinimum});

}  // namespace
