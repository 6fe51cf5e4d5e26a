// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachLog1p.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_log1p.h"

namespace {

aclnnStatus PlanForeachLog1p(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnForeachLog1pGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                           workspaceSize, executor);
}

const aclnn_cts::Registration kForeachLog1p({"aclnnForeachLog1p", PlanForeachLog1p,
                                             aclnnForeachLog1p});

}  // namespace
