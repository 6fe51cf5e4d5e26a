// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceFloor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_floor.h"

namespace {

aclnnStatus PlanInplaceFloor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceFloorGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceFloor({"aclnnInplaceFloor", PlanInplaceFloor,
                                             aclnnInplaceFloor});

}  // namespace
