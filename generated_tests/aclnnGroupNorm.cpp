// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_group_norm.h"

namespace {

aclnnStatus PlanGroupNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnGroupNormGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("gamma"), arguments.Tensor("beta"),
      arguments.Int64("N"), arguments.Int64("C"), arguments.Int64("HxW"), arguments.Int64("group"),
      arguments.Double("eps"), arguments.Tensor("out"), arguments.Tensor("meanOut"),
      arguments.Tensor("rstdOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kGroupNorm({"aclnnGroupNorm", PlanGroupNorm, aclnnGroupNorm});

}  // namespace
