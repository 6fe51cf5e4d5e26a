// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaLayerNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ada_layer_norm_quant.h"

namespace {

aclnnStatus PlanAdaLayerNormQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnAdaLayerNormQuantGetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("scale"), arguments.Tensor("shift"),
      arguments.Tensor("weightOptional"), arguments.Tensor("biasOptional"),
      arguments.Tensor("smoothScalesOptional"), arguments.Double("epsilon"),
      arguments.String("quantMode"), arguments.Tensor("out"), arguments.Tensor("quantScale"),
      arguments.Tensor("quantOffsetOptional"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaLayerNormQuant({"aclnnAdaLayerNormQuant", PlanAdaLayerNormQuant,
                                                  aclnnAdaLayerNormQuant});

}  // namespace
