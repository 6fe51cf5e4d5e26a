// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMinimumList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_minimum_list.h"

namespace {

aclnnStatus PlanForeachMinimumList(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachMinimumListGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMinimumList({"aclnnForeachMinimumList",
                                                   PlanForeachMinimumList,
                                                   aclnnForeachMinimumList});

}  // namespace
