// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGroupedBiasAddGrad.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_grouped_bias_add_grad.h"

namespace {

aclnnStatus PlanGroupedBiasAddGrad(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnGroupedBiasAddGradGetWorkspaceSize(arguments.Tensor("gradY"),
                                                 arguments.Tensor("groupIdxOptional"),
                                                 arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGroupedBiasAddGrad({"aclnnGroupedBiasAddGrad",
                                                   PlanGroupedBiasAddGrad,
                                                   aclnnGroupedBiasAddGrad});

}  // namespace
