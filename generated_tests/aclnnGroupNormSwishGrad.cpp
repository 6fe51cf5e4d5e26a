// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupNormSwishGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_group_norm_swish_grad.h"

namespace {

aclnnStatus PlanGroupNormSwishGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnGroupNormSwishGradGetWorkspaceSize(
      arguments.Tensor("dy"), arguments.Tensor("mean"), arguments.Tensor("rstd"),
      arguments.Tensor("x"), arguments.Tensor("gamma"), arguments.Tensor("beta"),
      arguments.Int64("numGroups"), arguments.String("dataFormatOptional"),
      arguments.Double("swishScale"), arguments.Bool("dgammaIsRequire"),
      arguments.Bool("dbetaIsRequire"), arguments.Tensor("dxOut"), arguments.Tensor("dgammaOut"),
      arguments.Tensor("dbetaOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kGroupNormSwishGrad({"aclnnGroupNormSwishGrad",
                                                   PlanGroupNormSwishGrad,
                                                   aclnnGroupNormSwishGrad});

}  // namespace
