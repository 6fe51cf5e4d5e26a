// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAcos.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_acos.h"

namespace {

aclnnStatus PlanForeachAcos(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachAcosGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAcos({"aclnnForeachAcos", PlanForeachAcos, aclnnForeachAcos});

}  // namespace
