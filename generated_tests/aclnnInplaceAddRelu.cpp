// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAddRelu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_relu.h"

namespace {

aclnnStatus PlanInplaceAddRelu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnInplaceAddReluGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Tensor("other"),
                                             arguments.Scalar("alpha"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAddRelu({"aclnnInplaceAddRelu", PlanInplaceAddRelu,
                                               aclnnInplaceAddRelu});

}  // namespace
