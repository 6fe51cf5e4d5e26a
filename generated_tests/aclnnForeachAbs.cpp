// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAbs.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_abs.h"

namespace {

aclnnStatus PlanForeachAbs(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnForeachAbsGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAbs({"aclnnForeachAbs", PlanForeachAbs, aclnnForeachAbs});

}  // namespace
