// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClamp.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanClamp(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnClampGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("clipValueMin"),
                                    arguments.Scalar("clipValueMax"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kClamp({"aclnnClamp", PlanClamp, aclnnClamp});

}  // namespace
