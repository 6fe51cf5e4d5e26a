// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceFloorDivides.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_floor_divide.h"

namespace {

aclnnStatus PlanInplaceFloorDivides(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnInplaceFloorDividesGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceFloorDivides({"aclnnInplaceFloorDivides",
                                                    PlanInplaceFloorDivides,
                                                    aclnnInplaceFloorDivides});

}  // namespace
