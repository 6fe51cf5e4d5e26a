// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachErf.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_erf.h"

namespace {

aclnnStatus PlanForeachErf(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnForeachErfGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kForeachErf({"aclnnForeachErf", PlanForeachErf, aclnnForeachErf});

}  // namespace
