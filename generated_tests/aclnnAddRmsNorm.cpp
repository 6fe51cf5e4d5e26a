// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_rms_norm.h"

namespace {

aclnnStatus PlanAddRmsNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnAddRmsNormGetWorkspaceSize(arguments.Tensor("x1"), arguments.Tensor("x2"),
                                         arguments.Tensor("gamma"), arguments.Double("epsilon"),
                                         arguments.Tensor("yOut"), arguments.Tensor("rstdOut"),
                                         arguments.Tensor("xOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAddRmsNorm({"aclnnAddRmsNorm", PlanAddRmsNorm, aclnnAddRmsNorm});

}  // namespace
