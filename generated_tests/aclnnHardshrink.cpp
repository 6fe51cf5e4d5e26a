// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnHardshrink.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_hardshrink.h"

namespace {

aclnnStatus PlanHardshrink(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnHardshrinkGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("lambd"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kHardshrink({"aclnnHardshrink", PlanHardshrink, aclnnHardshrink});

}  // namespace
