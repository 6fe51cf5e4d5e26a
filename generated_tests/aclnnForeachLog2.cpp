// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachLog2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_log2.h"

namespace {

aclnnStatus PlanForeachLog2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachLog2GetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachLog2({"aclnnForeachLog2", PlanForeachLog2, aclnnForeachLog2});

}  // namespace
