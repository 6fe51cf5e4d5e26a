// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_relu.h"

namespace {

aclnnStatus PlanRelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnReluGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kRelu({"aclnnRelu", PlanRelu, aclnnRelu});

}  // namespace
