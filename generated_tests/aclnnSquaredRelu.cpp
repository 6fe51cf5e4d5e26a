// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSquaredRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_squared_relu.h"

namespace {

aclnnStatus PlanSquaredRelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnSquaredReluGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kSquaredRelu({"aclnnSquaredRelu", PlanSquaredRelu, aclnnSquaredRelu});

}  // namespace
