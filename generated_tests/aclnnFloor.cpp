// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFloor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_floor.h"

namespace {

aclnnStatus PlanFloor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnFloorGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kFloor({"aclnnFloor", PlanFloor, aclnnFloor});

}  // namespace
