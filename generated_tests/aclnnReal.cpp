// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReal.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_real.h"

namespace {

aclnnStatus PlanReal(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnRealGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kReal({"aclnnReal", PlanReal, aclnnReal});

}  // namespace
