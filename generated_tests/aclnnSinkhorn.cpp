// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSinkhorn.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sinkhorn.h"

namespace {

aclnnStatus PlanSinkhorn(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnSinkhornGetWorkspaceSize(arguments.Tensor("cost"), arguments.Scalar("tol"),
                                       arguments.Tensor("p"), workspaceSize, executor);
}

const aclnn_cts::Registration kSinkhorn({"aclnnSinkhorn", PlanSinkhorn, aclnnSinkhorn});

}  // namespace
