// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAddcmul.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_addcmul.h"

namespace {

aclnnStatus PlanInplaceAddcmul(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnInplaceAddcmulGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("tensor1"), arguments.Tensor("tensor2"),
      arguments.Scalar("value"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAddcmul({"aclnnInplaceAddcmul", PlanInplaceAddcmul,
                                               aclnnInplaceAddcmul});

}  // namespace
