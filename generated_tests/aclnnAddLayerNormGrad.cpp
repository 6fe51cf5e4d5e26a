// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddLayerNormGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_layer_norm_grad.h"

namespace {

aclnnStatus PlanAddLayerNormGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnAddLayerNormGradGetWorkspaceSize(
      arguments.Tensor("dy"), arguments.Tensor("x1"), arguments.Tensor("x2"),
      arguments.Tensor("rstd"), arguments.Tensor("mean"), arguments.Tensor("gamma"),
      arguments.Tensor("dsumOptional"), arguments.Tensor("dxOut"), arguments.Tensor("dgammaOut"),
      arguments.Tensor("dbetaOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAddLayerNormGrad({"aclnnAddLayerNormGrad", PlanAddLayerNormGrad,
                                                 aclnnAddLayerNormGrad});

}  // namespace
