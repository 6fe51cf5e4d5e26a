// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormSwish.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_group_norm_swish.h"

namespace {

aclnnStatus PlanGroupNormSwish(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnGroupNormSwishGetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("gamma"), arguments.Tensor("beta"),
      arguments.Int64("numGroups"), arguments.String("dataFormatOptional"), arguments.Double("eps"),
      arguments.Bool("activateSwish"), arguments.Double("swishScale"), arguments.Tensor("yOut"),
      arguments.Tensor("meanOut"), arguments.Tensor("rstdOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kGroupNormSwish({"aclnnGroupNormSwish", PlanGroupNormSwish,
                                               aclnnGroupNormSwish});

}  // namespace
