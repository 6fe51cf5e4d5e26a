// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnVarCorrection.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_var.h"

namespace {

aclnnStatus PlanVarCorrection(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnVarCorrectionGetWorkspaceSize(
      arguments.Tensor("self"), arguments.IntArray("dim"), arguments.Int64("correction"),
      arguments.Bool("keepdim"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kVarCorrection({"aclnnVarCorrection", PlanVarCorrection,
                                              aclnnVarCorrection});

}  // namespace
