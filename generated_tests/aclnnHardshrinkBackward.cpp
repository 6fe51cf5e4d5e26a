// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardshrinkBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardshrink_backward.h"

namespace {

aclnnStatus PlanHardshrinkBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnHardshrinkBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Scalar("lambd"),
      arguments.Tensor("gradInput"), workspaceSize, executor);
}

const aclnn_cts::Registration kHardshrinkBackward({"aclnnHardshrinkBackward",
                                                   PlanHardshrinkBackward,
                                                   aclnnHardshrinkBackward});

}  // namespace
