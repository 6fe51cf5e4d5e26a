// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAddcdiv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_addcdiv.h"

namespace {

aclnnStatus PlanInplaceAddcdiv(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnInplaceAddcdivGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("tensor1"), arguments.Tensor("tensor2"),
      arguments.Scalar("value"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAddcdiv({"aclnnInplaceAddcdiv", PlanInplaceAddcdiv,
                                               aclnnInplaceAddcdiv});

}  // namespace
