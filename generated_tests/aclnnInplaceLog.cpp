// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLog.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log.h"

namespace {

aclnnStatus PlanInplaceLog(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceLogGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLog({"aclnnInplaceLog", PlanInplaceLog, aclnnInplaceLog});

}  // namespace
