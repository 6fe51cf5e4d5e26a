// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMulList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_mul_list.h"

namespace {

aclnnStatus PlanForeachMulList(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnForeachMulListGetWorkspaceSize(arguments.TensorList("x1"), arguments.TensorList("x2"),
                                             arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMulList({"aclnnForeachMulList", PlanForeachMulList,
                                               aclnnForeachMulList});

}  // namespace
