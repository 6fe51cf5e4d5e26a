// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceZero.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_zero.h"

namespace {

aclnnStatus PlanInplaceZero(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceZeroGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceZero({"aclnnInplaceZero", PlanInplaceZero, aclnnInplaceZero});

}  // namespace
