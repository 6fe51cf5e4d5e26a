// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceClampMax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanInplaceClampMax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceClampMaxGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Scalar("clipValueMax"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceClampMax({"aclnnInplaceClampMax", PlanInplaceClampMax,
                                                aclnnInplaceClampMax});

}  // namespace
