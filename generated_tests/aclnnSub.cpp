// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSub.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sub.h"

namespace {

aclnnStatus PlanSub(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                    aclOpExecutor **executor) {
  return aclnnSubGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                  arguments.Scalar("alpha"), arguments.Tensor("out"), workspaceSize,
                                  executor);
}

const aclnn_cts::Registration kSub({"aclnnSub", PlanSub, aclnnSub});

}  // namespace
