// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTrunc.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_trunc.h"

namespace {

aclnnStatus PlanTrunc(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnTruncGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kTrunc({"aclnnTrunc", PlanTrunc, aclnnTrunc});

}  // namespace
