// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRenorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_renorm.h"

namespace {

aclnnStatus PlanRenorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnRenormGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("p"),
                                     arguments.Int64("dim"), arguments.Scalar("maxNorm"),
                                     arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kRenorm({"aclnnRenorm", PlanRenorm, aclnnRenorm});

}  // namespace
