// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormSiluQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_group_norm_silu_quant.h"

namespace {

aclnnStatus PlanGroupNormSiluQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnGroupNormSiluQuantGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("gammaOptional"), arguments.Tensor("betaOptional"),
      arguments.Tensor("quantScale"), arguments.Int64("group"), arguments.Double("eps"),
      arguments.Bool("activateSilu"), arguments.Tensor("out"), arguments.Tensor("meanOut"),
      arguments.Tensor("rstdOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kGroupNormSiluQuant({"aclnnGroupNormSiluQuant",
                                                   PlanGroupNormSiluQuant,
                                                   aclnnGroupNormSiluQuant});

}  // namespace
