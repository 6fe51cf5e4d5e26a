// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLayerNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_layer_norm_quant.h"

namespace {

aclnnStatus PlanLayerNormQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnLayerNormQuantGetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("gamma"), arguments.Tensor("beta"),
      arguments.Tensor("scale"), arguments.Tensor("zeroPointsOptional"),
      arguments.Int32("quantMode"), arguments.Double("epsilon"), arguments.Tensor("res"),
      arguments.Tensor("scaleOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kLayerNormQuant({"aclnnLayerNormQuant", PlanLayerNormQuant,
                                               aclnnLayerNormQuant});

}  // namespace
