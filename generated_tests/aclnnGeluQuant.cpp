// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeluQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gelu_quant.h"

namespace {

aclnnStatus PlanGeluQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnGeluQuantGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("inputScaleOptional"),
      arguments.Tensor("inputOffsetOptional"), arguments.String("approximate"),
      arguments.String("quantMode"), arguments.String("roundMode"), arguments.Int64("dstType"),
      arguments.Tensor("y"), arguments.Tensor("outScaleOptional"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeluQuant({"aclnnGeluQuant", PlanGeluQuant, aclnnGeluQuant});

}  // namespace
