// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachDivListInplace.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_div_list_inplace.h"

namespace {

aclnnStatus PlanForeachDivListInplace(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachDivListInplaceGetWorkspaceSize(
      arguments.TensorList("x1"), arguments.TensorList("x2"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachDivListInplace({"aclnnForeachDivListInplace",
                                                      PlanForeachDivListInplace,
                                                      aclnnForeachDivListInplace});

}  // namespace
