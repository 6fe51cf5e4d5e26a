// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftshrink.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_softshrink.h"

namespace {

aclnnStatus PlanSoftshrink(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnSoftshrinkGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("lambd"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kSoftshrink({"aclnnSoftshrink", PlanSoftshrink, aclnnSoftshrink});

}  // namespace
