// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCummax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cummax.h"

namespace {

aclnnStatus PlanCummax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnCummaxGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                     arguments.Tensor("valuesOut"), arguments.Tensor("indicesOut"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kCummax({"aclnnCummax", PlanCummax, aclnnCummax});

}  // namespace
