// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachCos.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_cos.h"

namespace {

aclnnStatus PlanForeachCos(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnForeachCosGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kForeachCos({"aclnnForeachCos", PlanForeachCos, aclnnForeachCos});

}  // namespace
