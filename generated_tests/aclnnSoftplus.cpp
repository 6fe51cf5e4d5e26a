// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftplus.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_softplus.h"

namespace {

aclnnStatus PlanSoftplus(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnSoftplusGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("beta"),
                                       arguments.Scalar("threshold"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kSoftplus({"aclnnSoftplus", PlanSoftplus, aclnnSoftplus});

}  // namespace
