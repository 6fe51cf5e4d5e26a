// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormDynamicQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rms_norm_dynamic_quant.h"

namespace {

aclnnStatus PlanRmsNormDynamicQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnRmsNormDynamicQuantGetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("gamma"), arguments.Tensor("smoothScalesOptional"),
      arguments.Tensor("betaOptional"), arguments.Double("epsilon"), arguments.Int64("dstType"),
      arguments.Tensor("yOut"), arguments.Tensor("scaleOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kRmsNormDynamicQuant({"aclnnRmsNormDynamicQuant",
                                                    PlanRmsNormDynamicQuant,
                                                    aclnnRmsNormDynamicQuant});

}  // namespace
