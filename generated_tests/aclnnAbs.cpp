// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAbs.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_abs.h"

namespace {

aclnnStatus PlanAbs(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnAbsGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kAbs({"aclnnAbs", PlanAbs, aclnnAbs});

}  // namespace
