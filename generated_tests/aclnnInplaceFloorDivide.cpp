// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceFloorDivide.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_floor_divide.h"

namespace {

aclnnStatus PlanInplaceFloorDivide(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnInplaceFloorDivideGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceFloorDivide({"aclnnInplaceFloorDivide",
                                                   PlanInplaceFloorDivide,
                                                   aclnnInplaceFloorDivide});

}  // namespace
