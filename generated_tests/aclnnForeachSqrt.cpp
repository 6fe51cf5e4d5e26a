// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSqrt.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sqrt.h"

namespace {

aclnnStatus PlanForeachSqrt(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachSqrtGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSqrt({"aclnnForeachSqrt", PlanForeachSqrt, aclnnForeachSqrt});

}  // namespace
