// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachLog.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_log.h"

namespace {

aclnnStatus PlanForeachLog(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnForeachLogGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kForeachLog({"aclnnForeachLog", PlanForeachLog, aclnnForeachLog});

}  // namespace
