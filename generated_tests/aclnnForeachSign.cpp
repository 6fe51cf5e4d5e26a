// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSign.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sign.h"

namespace {

aclnnStatus PlanForeachSign(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachSignGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSign({"aclnnForeachSign", PlanForeachSign, aclnnForeachSign});

}  // namespace
