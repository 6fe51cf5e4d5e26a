// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_celu.h"

namespace {

aclnnStatus PlanCelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnCeluGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("alpha"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kCelu({"aclnnCelu", PlanCelu, aclnnCelu});

}  // namespace
