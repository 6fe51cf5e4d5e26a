// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSituGluGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_situ_glu_grad.h"

namespace {

aclnnStatus PlanSituGluGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnSituGluGradGetWorkspaceSize(
      arguments.Tensor("gradY"), arguments.Tensor("x"), arguments.Int64("dim"),
      arguments.Double("beta"), arguments.Double("linearBeta"), arguments.Bool("activateLeft"),
      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kSituGluGrad({"aclnnSituGluGrad", PlanSituGluGrad, aclnnSituGluGrad});

}  // namespace
