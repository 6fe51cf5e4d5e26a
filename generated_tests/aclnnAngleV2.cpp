// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAngleV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_angle_v2.h"

namespace {

aclnnStatus PlanAngleV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnAngleV2GetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("out"), workspaceSize,
                                      executor);
}

const aclnn_cts::Registration kAngleV2({"aclnnAngleV2", PlanAngleV2, aclnnAngleV2});

}  // namespace
