// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTan.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_tan.h"

namespace {

aclnnStatus PlanTan(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnTanGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kTan({"aclnnTan", PlanTan, aclnnTan});

}  // namespace
