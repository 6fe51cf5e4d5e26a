// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachPowList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_pow_list.h"

namespace {

aclnnStatus PlanForeachPowList(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnForeachPowListGetWorkspaceSize(arguments.TensorList("x1"), arguments.TensorList("x2"),
                                             arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachPowList({"aclnnForeachPowList", PlanForeachPowList,
                                               aclnnForeachPowList});

}  // namespace
