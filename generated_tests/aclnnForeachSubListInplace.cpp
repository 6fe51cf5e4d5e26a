// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachSubListInplace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_sub_list_inplace.h"

namespace {

aclnnStatus PlanForeachSubListInplace(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachSubListInplaceGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), arguments.Tensor("alpha"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachSubListInplace({"aclnnForeachSubListInplace",
                                                      PlanForeachSubListInplace,
                                                      aclnnForeachSubListInplace});

}  // namespace
