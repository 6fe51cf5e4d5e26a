// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRightShift.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_right_shift.h"

namespace {

aclnnStatus PlanRightShift(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnRightShiftGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("shiftBits"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kRightShift({"aclnnRightShift", PlanRightShift, aclnnRightShift});

}  // namespace
