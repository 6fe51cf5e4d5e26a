// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLeakyRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_leaky_relu.h"

namespace {

aclnnStatus PlanLeakyRelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnLeakyReluGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("negativeSlope"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLeakyRelu({"aclnnLeakyRelu", PlanLeakyRelu, aclnnLeakyRelu});

}  // namespace
