// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnForeachNonFiniteCheckAndUnscale.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_foreach_non_finite_check_and_unscale.h"

namespace {

aclnnStatus PlanForeachNonFiniteCheckAndUnscale(const aclnn_cts::Arguments &arguments,
                                                uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(
      arguments.TensorList("scaledGrads"), arguments.Tensor("foundInf"),
      arguments.Tensor("invScale"), workspaceSize, executor);
}

const aclnn_cts::Registration kForeachNonFiniteCheckAndUnscale(
    {"aclnnForeachNonFiniteCheckAndUnscale", PlanForeachNonFiniteCheckAndUnscale,
     aclnnForeachNonFiniteCheckAndUnscale});

}  // namespace
