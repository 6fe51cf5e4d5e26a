// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachTan.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_tan.h"

namespace {

aclnnStatus PlanForeachTan(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnForeachTanGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kForeachTan({"aclnnForeachTan", PlanForeachTan, aclnnForeachTan});

}  // namespace
