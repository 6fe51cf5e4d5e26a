// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddLayerNormQuantV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_layer_norm_quant_v2.h"

namespace {

aclnnStatus PlanAddLayerNormQuantV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnAddLayerNormQuantV2GetWorkspaceSize(
      arguments.Tensor("x1"), arguments.Tensor("x2"), arguments.Tensor("gamma"),
      arguments.Tensor("beta"), arguments.Tensor("biasOptional"),
      arguments.Tensor("scales1Optional"), arguments.Tensor("scales2Optional"),
      arguments.Tensor("zeroPoints1Optional"), arguments.Tensor("zeroPoints2Optional"),
      arguments.String("quantMode"), arguments.Double("epsilon"),
      arguments.Bool("additionalOutput"), arguments.Bool("divMode"), arguments.Tensor("y1Out"),
      arguments.Tensor("y2Out"), arguments.Tensor("xOut"), arguments.Tensor("layernormRes"),
      arguments.Tensor("outScales1Out"), arguments.Tensor("outScales2Out"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kAddLayerNormQuantV2({"aclnnAddLayerNormQuantV2",
                                                    PlanAddLayerNormQuantV2,
                                                    aclnnAddLayerNormQuantV2});

}  // namespace
