// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCummin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cummin.h"

namespace {

aclnnStatus PlanCummin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnCumminGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                     arguments.Tensor("valuesOut"), arguments.Tensor("indicesOut"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kCummin({"aclnnCummin", PlanCummin, aclnnCummin});

}  // namespace
