// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachCopy.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_copy.h"

namespace {

aclnnStatus PlanForeachCopy(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachCopyGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachCopy({"aclnnForeachCopy", PlanForeachCopy, aclnnForeachCopy});

}  // namespace
