// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFloorDivides.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_floor_divide.h"

namespace {

aclnnStatus PlanFloorDivides(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnFloorDividesGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                           arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kFloorDivides({"aclnnFloorDivides", PlanFloorDivides,
                                             aclnnFloorDivides});

}  // namespace
