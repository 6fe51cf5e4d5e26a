// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceTrunc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_trunc.h"

namespace {

aclnnStatus PlanInplaceTrunc(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceTruncGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceTrunc({"aclnnInplaceTrunc", PlanInplaceTrunc,
                                             aclnnInplaceTrunc});

}  // namespace
