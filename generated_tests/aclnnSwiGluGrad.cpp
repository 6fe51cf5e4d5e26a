// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwiGluGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_swi_glu_grad.h"

namespace {

aclnnStatus PlanSwiGluGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnSwiGluGradGetWorkspaceSize(arguments.Tensor("yGrad"), arguments.Tensor("x"),
                                         arguments.Int64("dim"), arguments.Tensor("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kSwiGluGrad({"aclnnSwiGluGrad", PlanSwiGluGrad, aclnnSwiGluGrad});

}  // namespace
