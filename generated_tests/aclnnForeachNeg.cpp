// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachNeg.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_neg.h"

namespace {

aclnnStatus PlanForeachNeg(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnForeachNegGetWorkspaceSize(arguments.TensorList("x"), arguments.TensorList("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kForeachNeg({"aclnnForeachNeg", PlanForeachNeg, aclnnForeachNeg});

}  // namespace
