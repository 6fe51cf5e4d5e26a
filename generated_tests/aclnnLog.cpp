// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLog.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log.h"

namespace {

aclnnStatus PlanLog(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnLogGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kLog({"aclnnLog", PlanLog, aclnnLog});

}  // namespace
