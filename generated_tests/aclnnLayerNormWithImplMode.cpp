// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLayerNormWithImplMode.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_layer_norm.h"

namespace {

aclnnStatus PlanLayerNormWithImplMode(const aclnn_cts::Arguments &arguments,
                                      uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnLayerNormWithImplModeGetWorkspaceSize(
      arguments.Tensor("input"), arguments.IntArray("normalizedShape"),
      arguments.Tensor("weightOptional"), arguments.Tensor("biasOptional"), arguments.Double("eps"),
      arguments.Tensor("out"), arguments.Tensor("meanOutOptional"),
      arguments.Tensor("rstdOutOptional"), arguments.Int32("implMode"), workspaceSize, executor);
}

const aclnn_cts::Registration kLayerNormWithImplMode({"aclnnLayerNormWithImplMode",
                                                      PlanLayerNormWithImplMode,
                                                      aclnnLayerNormWithImplMode});

}  // namespace
