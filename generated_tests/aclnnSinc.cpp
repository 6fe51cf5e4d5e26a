// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSinc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sinc.h"

namespace {

aclnnStatus PlanSinc(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnSincGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kSinc({"aclnnSinc", PlanSinc, aclnnSinc});

}  // namespace
