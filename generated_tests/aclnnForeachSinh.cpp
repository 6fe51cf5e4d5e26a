// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSinh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sinh.h"

namespace {

aclnnStatus PlanForeachSinh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachSinhGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSinh({"aclnnForeachSinh", PlanForeachSinh, aclnnForeachSinh});

}  // namespace
