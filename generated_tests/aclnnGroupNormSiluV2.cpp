// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormSiluV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_group_norm_silu.h"

namespace {

aclnnStatus PlanGroupNormSiluV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnGroupNormSiluV2GetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("gamma"), arguments.Tensor("beta"),
      arguments.Int64("group"), arguments.Double("eps"), arguments.Bool("activateSilu"),
      arguments.Tensor("out"), arguments.Tensor("meanOut"), arguments.Tensor("rstdOut"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kGroupNormSiluV2({"aclnnGroupNormSiluV2", PlanGroupNormSiluV2,
                                                aclnnGroupNormSiluV2});

}  // namespace
