// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachMaximumScalarList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_list.h"

namespace {

aclnnStatus PlanForeachMaximumScalarList(const aclnn_cts::Arguments &arguments,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachMaximumScalarListGetWorkspaceSize(
      arguments.TensorList("x"), arguments.ScalarList("scalars"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachMaximumScalarList({"aclnnForeachMaximumScalarList",
                                                         PlanForeachMaximumScalarList,
                                                         aclnnForeachMaximumScalarList});

}  // namespace
