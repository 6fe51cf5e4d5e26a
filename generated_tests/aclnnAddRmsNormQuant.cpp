// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_rms_norm_quant.h"

namespace {

aclnnStatus PlanAddRmsNormQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnAddRmsNormQuantGetWorkspaceSize(
      arguments.Tensor("x1"), arguments.Tensor("x2"), arguments.Tensor("gamma"),
      arguments.Tensor("scales1"), arguments.Tensor("scales2Optional"),
      arguments.Tensor("zeroPoints1Optional"), arguments.Tensor("zeroPoints2Optional"),
      arguments.Int64("axis"), arguments.Double("epsilon"), arguments.Bool("divMode"),
      arguments.Tensor("y1Out"), arguments.Tensor("y2Out"), arguments.Tensor("xOut"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kAddRmsNormQuant({"aclnnAddRmsNormQuant", PlanAddRmsNormQuant,
                                                aclnnAddRmsNormQuant});

}  // namespace
