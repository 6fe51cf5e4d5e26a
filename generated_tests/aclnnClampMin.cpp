// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnClampMin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_clamp.h"

namespace {

aclnnStatus PlanClampMin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnClampMinGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("clipValueMin"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kClampMin({"aclnnClampMin", PlanClampMin, aclnnClampMin});

}  // namespace
