// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRandomWithoutFromTo.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_random.h"

namespace {

aclnnStatus PlanInplaceRandomWithoutFromTo(const aclnn_cts::Arguments &arguments,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceRandomWithoutFromToGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Int64("seed"), arguments.Int64("offset"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRandomWithoutFromTo({"aclnnInplaceRandomWithoutFromTo",
                                                           PlanInplaceRandomWithoutFromTo,
                                                           aclnnInplaceRandomWithoutFromTo});

}  // namespace
