// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_relu.h"

namespace {

aclnnStatus PlanAddRelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnAddReluGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                      arguments.Scalar("alpha"), arguments.Tensor("out"),
                                      workspaceSize, executor);
}

const aclnn_cts::Registration kAddRelu({"aclnnAddRelu", PlanAddRelu, aclnnAddRelu});

}  // namespace
