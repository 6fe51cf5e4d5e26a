// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachReciprocal.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_reciprocal.h"

namespace {

aclnnStatus PlanForeachReciprocal(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnForeachReciprocalGetWorkspaceSize(
      arguments.TensorList("x"), arguments.TensorList("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachReciprocal({"aclnnForeachReciprocal", PlanForeachReciprocal,
                                                  aclnnForeachReciprocal});

}  // namespace
