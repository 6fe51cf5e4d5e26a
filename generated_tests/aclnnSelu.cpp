// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_selu.h"

namespace {

aclnnStatus PlanSelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnSeluGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kSelu({"aclnnSelu", PlanSelu, aclnnSelu});

}  // namespace
