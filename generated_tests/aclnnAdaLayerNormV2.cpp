// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaLayerNormV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ada_layer_norm_v2.h"

namespace {

aclnnStatus PlanAdaLayerNormV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnAdaLayerNormV2GetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("scale"), arguments.Tensor("shift"),
      arguments.Tensor("weightOptional"), arguments.Tensor("biasOptional"),
      arguments.Double("epsilon"), arguments.Tensor("out"), arguments.Tensor("meanOutOptional"),
      arguments.Tensor("rstdOutOptional"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaLayerNormV2({"aclnnAdaLayerNormV2", PlanAdaLayerNormV2,
                                               aclnnAdaLayerNormV2});

}  // namespace
