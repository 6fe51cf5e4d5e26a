// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNormDynamicQuantV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant_v2.h"

namespace {

aclnnStatus PlanAddRmsNormDynamicQuantV2(const aclnn_cts::Arguments &arguments,
                                         uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnAddRmsNormDynamicQuantV2GetWorkspaceSize(
      arguments.Tensor("x1"), arguments.Tensor("x2"), arguments.Tensor("gamma"),
      arguments.Tensor("smoothScale1Optional"), arguments.Tensor("smoothScale2Optional"),
      arguments.Tensor("betaOptional"), arguments.Double("epsilon"),
      arguments.BoolArray("outputMaskOptional"), arguments.Tensor("y1Out"),
      arguments.Tensor("y2Out"), arguments.Tensor("xOut"), arguments.Tensor("scale1Out"),
      arguments.Tensor("scale2Out"), workspaceSize, executor);
}

const aclnn_cts::Registration kAddRmsNormDynamicQuantV2({"aclnnAddRmsNormDynamicQuantV2",
                                                         PlanAddRmsNormDynamicQuantV2,
                                                         aclnnAddRmsNormDynamicQuantV2});

}  // namespace
