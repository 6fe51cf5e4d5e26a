// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardsigmoid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardsigmoid.h"

namespace {

aclnnStatus PlanHardsigmoid(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnHardsigmoidGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kHardsigmoid({"aclnnHardsigmoid", PlanHardsigmoid, aclnnHardsigmoid});

}  // namespace
