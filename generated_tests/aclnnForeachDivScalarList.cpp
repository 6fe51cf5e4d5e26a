// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachDivScalarList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_div_scalar_list.h"

namespace {

aclnnStatus PlanForeachDivScalarList(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnForeachDivScalarListGetWorkspaceSize(
      arguments.TensorList("x"), arguments.ScalarList("scalars"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachDivScalarList({"aclnnForeachDivScalarList",
                                                     PlanForeachDivScalarList,
                                                     aclnnForeachDivScalarList});

}  // namespace
