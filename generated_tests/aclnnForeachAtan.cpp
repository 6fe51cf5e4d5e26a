// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAtan.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_atan.h"

namespace {

aclnnStatus PlanForeachAtan(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachAtanGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAtan({"aclnnForeachAtan", PlanForeachAtan, aclnnForeachAtan});

}  // namespace
