// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnDeepNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_deep_norm.h"

namespace {

aclnnStatus PlanDeepNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnDeepNormGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("gx"),
                                       arguments.Tensor("beta"), arguments.Tensor("gamma"),
                                       arguments.Double("alpha"), arguments.Double("epsilon"),
                                       arguments.Tensor("meanOut"), arguments.Tensor("rstdOut"),
                                       arguments.Tensor("yOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kDeepNorm({"aclnnDeepNorm", PlanDeepNorm, aclnnDeepNorm});

}  // namespace
