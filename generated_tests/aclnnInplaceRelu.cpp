// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_relu.h"

namespace {

aclnnStatus PlanInplaceRelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceReluGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRelu({"aclnnInplaceRelu", PlanInplaceRelu, aclnnInplaceRelu});

}  // namespace
