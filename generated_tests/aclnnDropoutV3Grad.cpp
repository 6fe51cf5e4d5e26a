// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDropoutV3Grad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_dropout_v3_grad.h"

namespace {

aclnnStatus PlanDropoutV3Grad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnDropoutV3GradGetWorkspaceSize(arguments.Tensor("gradY"), arguments.Tensor("mask"),
                                            arguments.Double("scale"), arguments.Tensor("gradX"),
                                            workspaceSize, executor);
}

const aclnn_cts::Registration kDropoutV3Grad({"aclnnDropoutV3Grad", PlanDropoutV3Grad,
                                              aclnnDropoutV3Grad});

}  // namespace
