// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachLerpList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_lerp_list.h"

namespace {

aclnnStatus PlanForeachLerpList(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnForeachLerpListGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.TensorList("weight"),
      arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachLerpList({"aclnnForeachLerpList", PlanForeachLerpList,
                                                aclnnForeachLerpList});

}  // namespace
