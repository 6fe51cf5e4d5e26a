// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogitGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logit_grad.h"

namespace {

aclnnStatus PlanLogitGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnLogitGradGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("dy"),
                                        arguments.Double("eps"), arguments.Tensor("out"),
                                        workspaceSize, executor);
}

const aclnn_cts::Registration kLogitGrad({"aclnnLogitGrad", PlanLogitGrad, aclnnLogitGrad});

}  // namespace
