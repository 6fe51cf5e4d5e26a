// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDot.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dot.h"

namespace {

aclnnStatus PlanDot(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnDotGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("tensor"),
                                  arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kDot({"aclnnDot", PlanDot, aclnnDot});

}  // namespace
