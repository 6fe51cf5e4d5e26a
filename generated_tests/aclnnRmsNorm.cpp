// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rms_norm.h"

namespace {

aclnnStatus PlanRmsNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnRmsNormGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("gamma"),
                                      arguments.Double("epsilon"), arguments.Tensor("yOut"),
                                      arguments.Tensor("rstdOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kRmsNorm({"aclnnRmsNorm", PlanRmsNorm, aclnnRmsNorm});

}  // namespace
