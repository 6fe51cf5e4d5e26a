// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDeepNormGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_deep_norm_grad.h"

namespace {

aclnnStatus PlanDeepNormGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnDeepNormGradGetWorkspaceSize(
      arguments.Tensor("dy"), arguments.Tensor("x"), arguments.Tensor("gx"),
      arguments.Tensor("gamma"), arguments.Tensor("mean"), arguments.Tensor("rstd"),
      arguments.Double("alpha"), arguments.Tensor("dxOut"), arguments.Tensor("dgxOut"),
      arguments.Tensor("dbetaOut"), arguments.Tensor("dgammaOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kDeepNormGrad({"aclnnDeepNormGrad", PlanDeepNormGrad,
                                             aclnnDeepNormGrad});

}  // namespace
