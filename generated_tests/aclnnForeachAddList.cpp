// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAddList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_add_list.h"

namespace {

aclnnStatus PlanForeachAddList(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnForeachAddListGetWorkspaceSize(arguments.TensorList("x1"), arguments.TensorList("x2"),
                                             arguments.Tensor("alpha"), arguments.TensorList("out"),
                                             workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAddList({"aclnnForeachAddList", PlanForeachAddList,
                                               aclnnForeachAddList});

}  // namespace
