// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachExpm1.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_expm1.h"

namespace {

aclnnStatus PlanForeachExpm1(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnForeachExpm1GetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                           workspaceSize, executor);
}

const aclnn_cts::Registration kForeachExpm1({"aclnnForeachExpm1", PlanForeachExpm1,
                                             aclnnForeachExpm1});

}  // namespace
