// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormQuantV3.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rms_norm_quant_v3.h"

namespace {

aclnnStatus PlanRmsNormQuantV3(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnRmsNormQuantV3GetWorkspaceSize(
      arguments.Tensor("x"), arguments.Tensor("gamma"), arguments.Tensor("scale"),
      arguments.Tensor("offsetOptional"), arguments.Tensor("betaOptional"),
      arguments.Double("epsilon"), arguments.Bool("divMode"), arguments.Bool("outputRstd"),
      arguments.Tensor("y"), arguments.Tensor("rstd"), workspaceSize, executor);
}

const aclnn_cts::Registration kRmsNormQuantV3({"aclnnRmsNormQuantV3", PlanRmsNormQuantV3,
                                               aclnnRmsNormQuantV3});

}  // namespace
