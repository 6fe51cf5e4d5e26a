// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLeakyRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_leaky_relu.h"

namespace {

aclnnStatus PlanInplaceLeakyRelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnInplaceLeakyReluGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Scalar("negativeSlope"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLeakyRelu({"aclnnInplaceLeakyRelu", PlanInplaceLeakyRelu,
                                                 aclnnInplaceLeakyRelu});

}  // namespace
