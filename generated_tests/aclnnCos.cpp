// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCos.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cos.h"

namespace {

aclnnStatus PlanCos(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnCosGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kCos({"aclnnCos", PlanCos, aclnnCos});

}  // namespace
