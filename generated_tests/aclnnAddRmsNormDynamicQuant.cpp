// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNormDynamicQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant.h"

namespace {

aclnnStatus PlanAddRmsNormDynamicQuant(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnAddRmsNormDynamicQuantGetWorkspaceSize(
      arguments.Tensor("x1"), arguments.Tensor("x2"), arguments.Tensor("gamma"),
      arguments.Tensor("smoothScale1Optional"), arguments.Tensor("smoothScale2Optional"),
      arguments.Double("epsilon"), arguments.Tensor("y1Out"), arguments.Tensor("y2Out"),
      arguments.Tensor("xOut"), arguments.Tensor("scale1Out"), arguments.Tensor("scale2Out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kAddRmsNormDynamicQuant({"aclnnAddRmsNormDynamicQuant",
                                                       PlanAddRmsNormDynamicQuant,
                                                       aclnnAddRmsNormDynamicQuant});

}  // namespace
