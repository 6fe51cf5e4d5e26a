// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachErfc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_erfc.h"

namespace {

aclnnStatus PlanForeachErfc(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnForeachErfcGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kForeachErfc({"aclnnForeachErfc", PlanForeachErfc, aclnnForeachErfc});

}  // namespace
