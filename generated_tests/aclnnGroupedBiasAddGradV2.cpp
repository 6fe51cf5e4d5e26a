// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupedBiasAddGradV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_grouped_bias_add_grad_v2.h"

namespace {

aclnnStatus PlanGroupedBiasAddGradV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnGroupedBiasAddGradV2GetWorkspaceSize(
      arguments.Tensor("gradY"), arguments.Tensor("groupIdxOptional"),
      arguments.Int64("groupIdxType"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGroupedBiasAddGradV2({"aclnnGroupedBiasAddGradV2",
                                                     PlanGroupedBiasAddGradV2,
                                                     aclnnGroupedBiasAddGradV2});

}  // namespace
