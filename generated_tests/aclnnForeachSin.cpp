// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sin.h"

namespace {

aclnnStatus PlanForeachSin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnForeachSinGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSin({"aclnnForeachSin", PlanForeachSin, aclnnForeachSin});

}  // namespace
