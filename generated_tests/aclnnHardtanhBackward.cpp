// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardtanhBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardtanh_backward.h"

namespace {

aclnnStatus PlanHardtanhBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnHardtanhBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Scalar("min"),
      arguments.Scalar("max"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kHardtanhBackward({"aclnnHardtanhBackward", PlanHardtanhBackward,
                                                 aclnnHardtanhBackward});

}  // namespace
