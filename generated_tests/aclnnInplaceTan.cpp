// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceTan.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_tan.h"

namespace {

aclnnStatus PlanInplaceTan(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnInplaceTanGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceTan({"aclnnInplaceTan", PlanInplaceTan, aclnnInplaceTan});

}  // namespace
