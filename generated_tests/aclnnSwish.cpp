// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_swish.h"

namespace {

aclnnStatus PlanSwish(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnSwishGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("betaOptional"),
                                    arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kSwish({"aclnnSwish", PlanSwish, aclnnSwish});

}  // namespace
