// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAtan2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_atan2.h"

namespace {

aclnnStatus PlanAtan2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnAtan2GetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kAtan2({"aclnnAtan2", PlanAtan2, aclnnAtan2});

}  // namespace
