// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMaximumList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_maximum_list.h"

namespace {

aclnnStatus PlanForeachMaximumList(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnForeachMaximumListGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMaximumList({"aclnnForeachMaximumList",
                                                   PlanForeachMaximumList,
                                                   aclnnForeachMaximumList});

}  // namespace
