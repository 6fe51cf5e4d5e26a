// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddLayerNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_layer_norm_quant.h"

namespace {

aclnnStatus PlanAddLayerNormQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnAddLayerNormQuantGetWorkspaceSize(
      arguments.Tensor("x1"), arguments.Tensor("x2"), arguments.Tensor("gamma"),
      arguments.Tensor("beta"), arguments.Tensor("biasOptional"),
      arguments.Tensor("scales1Optional"), arguments.Tensor("scales2Optional"),
      arguments.Tensor("zeroPoints1Optional"), arguments.Tensor("zeroPoints2Optional"),
      arguments.String("quantMode"), arguments.Double("epsilon"),
      arguments.Bool("additionalOutput"), arguments.Bool("divMode"), arguments.Tensor("y1Out"),
      arguments.Tensor("y2Out"), arguments.Tensor("xOut"), arguments.Tensor("outScales1Out"),
      arguments.Tensor("outScales2Out"), workspaceSize, executor);
}

const aclnn_cts::Registration kAddLayerNormQuant({"aclnnAddLayerNormQuant", PlanAddLayerNormQuant,
                                                  aclnnAddLayerNormQuant});

}  // namespace
