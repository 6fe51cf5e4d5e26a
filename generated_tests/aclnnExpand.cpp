// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnExpand.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_expand.h"

namespace {

aclnnStatus PlanExpand(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnExpandGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("size"),
                                     arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kExpand({"aclnnExpand", PlanExpand, aclnnExpand});

}  // namespace
