// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rms_norm_grad.h"

namespace {

aclnnStatus PlanRmsNormGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnRmsNormGradGetWorkspaceSize(arguments.Tensor("dy"), arguments.Tensor("x"),
                                          arguments.Tensor("rstd"), arguments.Tensor("gamma"),
                                          arguments.Tensor("dxOut"), arguments.Tensor("dgammaOut"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kRmsNormGrad({"aclnnRmsNormGrad", PlanRmsNormGrad, aclnnRmsNormGrad});

}  // namespace
