// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnShrink.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_shrink.h"

namespace {

aclnnStatus PlanShrink(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnShrinkGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("lambd"),
                                     arguments.Scalar("bias"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kShrink({"aclnnShrink", PlanShrink, aclnnShrink});

}  // namespace
