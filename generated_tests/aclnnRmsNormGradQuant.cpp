// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormGradQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rms_norm_grad_quant.h"

namespace {

aclnnStatus PlanRmsNormGradQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnRmsNormGradQuantGetWorkspaceSize(
      arguments.Tensor("dy"), arguments.Tensor("x"), arguments.Tensor("rstd"),
      arguments.Tensor("gamma"), arguments.Tensor("scalesX"), arguments.Tensor("offsetXOptional"),
      arguments.String("quantMode"), arguments.Bool("divMode"), arguments.Tensor("dxOut"),
      arguments.Tensor("dgammaOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kRmsNormGradQuant({"aclnnRmsNormGradQuant", PlanRmsNormGradQuant,
                                                 aclnnRmsNormGradQuant});

}  // namespace
