// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftplusBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_softplus_backward.h"

namespace {

aclnnStatus PlanSoftplusBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnSoftplusBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Scalar("beta"),
      arguments.Scalar("threshold"), arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kSoftplusBackward({"aclnnSoftplusBackward", PlanSoftplusBackward,
                                                 aclnnSoftplusBackward});

}  // namespace
