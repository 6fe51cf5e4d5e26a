// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachExp.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_exp.h"

namespace {

aclnnStatus PlanForeachExp(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnForeachExpGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kForeachExp({"aclnnForeachExp", PlanForeachExp, aclnnForeachExp});

}  // namespace
