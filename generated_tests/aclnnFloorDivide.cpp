// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFloorDivide.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_floor_divide.h"

namespace {

aclnnStatus PlanFloorDivide(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnFloorDivideGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                          arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kFloorDivide({"aclnnFloorDivide", PlanFloorDivide, aclnnFloorDivide});

}  // namespace
