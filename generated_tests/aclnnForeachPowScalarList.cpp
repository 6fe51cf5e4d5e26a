// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachPowScalarList.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_pow_scalar_list.h"

namespace {

aclnnStatus PlanForeachPowScalarList(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnForeachPowScalarListGetWorkspaceSize(
      arguments.TensorList("x"), arguments.ScalarList("scalars"), arguments.TensorList("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kForeachPowScalarList({"aclnnForeachPowScalarList",
                                                     PlanForeachPowScalarList,
                                                     aclnnForeachPowScalarList});

}  // namespace
