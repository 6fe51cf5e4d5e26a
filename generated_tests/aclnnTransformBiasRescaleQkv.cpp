// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTransformBiasRescaleQkv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_transform_bias_rescale_qkv.h"

namespace {

aclnnStatus PlanTransformBiasRescaleQkv(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnTransformBiasRescaleQkvGetWorkspaceSize(
      arguments.Tensor("qkv"), arguments.Tensor("qkvBias"), arguments.Int64("numHeads"),
      arguments.Tensor("qOut"), arguments.Tensor("kOut"), arguments.Tensor("vOut"), workspaceSize,
      executor);
}

const aclnn_cts::Registration kTransformBiasRescaleQkv({"aclnnTransformBiasRescaleQkv",
                                                        PlanTransformBiasRescaleQkv,
                                                        aclnnTransformBiasRescaleQkv});

}  // namespace
