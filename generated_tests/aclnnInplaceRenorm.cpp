// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRenorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_renorm.h"

namespace {

aclnnStatus PlanInplaceRenorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnInplaceRenormGetWorkspaceSize(arguments.Tensor("selfRef"), arguments.Scalar("p"),
                                            arguments.Int64("dim"), arguments.Scalar("maxNorm"),
                                            workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRenorm({"aclnnInplaceRenorm", PlanInplaceRenorm,
                                              aclnnInplaceRenorm});

}  // namespace
