// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSqrt.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sqrt.h"

namespace {

aclnnStatus PlanSqrt(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnSqrtGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kSqrt({"aclnnSqrt", PlanSqrt, aclnnSqrt});

}  // namespace
