// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceCosh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cosh.h"

namespace {

aclnnStatus PlanInplaceCosh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceCoshGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceCosh({"aclnnInplaceCosh", PlanInplaceCosh, aclnnInplaceCosh});

}  // namespace
