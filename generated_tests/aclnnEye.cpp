// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEye.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_eye.h"

namespace {

aclnnStatus PlanEye(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnEyeGetWorkspaceSize(arguments.Int64("n"), arguments.Int64("m"),
                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kEye({"aclnnEye", PlanEye, aclnnEye});

}  // namespace
