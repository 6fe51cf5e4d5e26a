// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddLayerNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_layer_norm.h"

namespace {

aclnnStatus PlanAddLayerNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnAddLayerNormGetWorkspaceSize(
      arguments.Tensor("x1"), arguments.Tensor("x2"), arguments.Tensor("gamma"),
      arguments.Tensor("beta"), arguments.Tensor("biasOptional"), arguments.Double("epsilon"),
      arguments.Bool("additionalOutput"), arguments.Tensor("yOut"), arguments.Tensor("meanOut"),
      arguments.Tensor("rstdOut"), arguments.Tensor("xOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAddLayerNorm({"aclnnAddLayerNorm", PlanAddLayerNorm,
                                             aclnnAddLayerNorm});

}  // namespace
