// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGemmaRmsNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gemma_rms_norm.h"

namespace {

aclnnStatus PlanGemmaRmsNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnGemmaRmsNormGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("gamma"),
                                           arguments.Double("epsilon"), arguments.Tensor("yOut"),
                                           arguments.Tensor("rstdOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kGemmaRmsNorm({"aclnnGemmaRmsNorm", PlanGemmaRmsNorm,
                                             aclnnGemmaRmsNorm});

}  // namespace
