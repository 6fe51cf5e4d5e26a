// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachAddListV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_add_list_v2.h"

namespace {

aclnnStatus PlanForeachAddListV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnForeachAddListV2GetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.Scalar("alpha"),
      arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachAddListV2({"aclnnForeachAddListV2", PlanForeachAddListV2,
                                                 aclnnForeachAddListV2});

}  // namespace
