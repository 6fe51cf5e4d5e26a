// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRmsNormQuant.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_rms_norm_quant.h"

namespace {

aclnnStatus PlanRmsNormQuant(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnRmsNormQuantGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("gamma"),
                                           arguments.Tensor("beta"), arguments.Tensor("scale"),
                                           arguments.Tensor("offset"), arguments.Double("epsilon"),
                                           arguments.Tensor("y"), workspaceSize, executor);
}

const aclnn_cts::Registration kRmsNormQuant({"aclnnRmsNormQuant", PlanRmsNormQuant,
                                             aclnnRmsNormQuant});

}  // namespace
