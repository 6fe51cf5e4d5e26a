// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAdaLayerNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ada_layer_norm.h"

namespace {

aclnnStatus PlanAdaLayerNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnAdaLayerNormGetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("scale"), arguments.Tensor("shift"),
      arguments.Tensor("weightOptional"), arguments.Tensor("biasOptional"),
      arguments.Double("epsilon"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kAdaLayerNorm({"aclnnAdaLayerNorm", PlanAdaLayerNorm,
                                             aclnnAdaLayerNorm});

}  // namespace
