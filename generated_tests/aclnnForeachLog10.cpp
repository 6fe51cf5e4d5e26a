// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachLog10.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_log10.h"

namespace {

aclnnStatus PlanForeachLog10(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnForeachLog10GetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                           workspaceSize, executor);
}

const aclnn_cts::Registration kForeachLog10({"aclnnForeachLog10", PlanForeachLog10,
                                             aclnnForeachLog10});

}  // namespace
