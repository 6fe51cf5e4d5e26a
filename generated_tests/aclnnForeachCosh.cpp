// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachCosh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_cosh.h"

namespace {

aclnnStatus PlanForeachCosh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachCoshGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachCosh({"aclnnForeachCosh", PlanForeachCosh, aclnnForeachCosh});

}  // namespace
