// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClampMax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanClampMax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnClampMaxGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("clipValueMax"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kClampMax({"aclnnClampMax", PlanClampMax, aclnnClampMax});

}  // namespace
