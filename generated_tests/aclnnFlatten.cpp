// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFlatten.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_flatten.h"

namespace {

aclnnStatus PlanFlatten(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnFlattenGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("axis"),
                                      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kFlatten({"aclnnFlatten", PlanFlatten, aclnnFlatten});

}  // namespace
