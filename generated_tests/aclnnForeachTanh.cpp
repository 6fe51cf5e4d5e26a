// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachTanh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_tanh.h"

namespace {

aclnnStatus PlanForeachTanh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachTanhGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachTanh({"aclnnForeachTanh", PlanForeachTanh, aclnnForeachTanh});

}  // namespace
