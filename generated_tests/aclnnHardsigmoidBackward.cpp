// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardsigmoidBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"

namespace {

aclnnStatus PlanHardsigmoidBackward(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnHardsigmoidBackwardGetWorkspaceSize(arguments.Tensor("gradOutput"),
                                                  arguments.Tensor("self"), arguments.Tensor("out"),
                                                  workspaceSize, executor);
}

const aclnn_cts::Registration kHardsigmoidBackward({"aclnnHardsigmoidBackward",
                                                    PlanHardsigmoidBackward,
                                                    aclnnHardsigmoidBackward});

}  // namespace
