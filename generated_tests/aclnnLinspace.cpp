// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLinspace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_linspace.h"

namespace {

aclnnStatus PlanLinspace(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnLinspaceGetWorkspaceSize(arguments.Scalar("start"), arguments.Scalar("end"),
                                       arguments.Int64("steps"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kLinspace({"aclnnLinspace", PlanLinspace, aclnnLinspace});

}  // namespace
