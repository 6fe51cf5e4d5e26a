// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLeftShift.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_left_shift.h"

namespace {

aclnnStatus PlanLeftShift(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnLeftShiftGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("shiftBits"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLeftShift({"aclnnLeftShift", PlanLeftShift, aclnnLeftShift});

}  // namespace
