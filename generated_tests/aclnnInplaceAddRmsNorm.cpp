// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceAddRmsNorm.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_inplace_add_rms_norm.h"

namespace {

aclnnStatus PlanInplaceAddRmsNorm(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnInplaceAddRmsNormGetWorkspaceSize(
      arguments.Tensor("x1Ref"), arguments.Tensor("x2Ref"), arguments.Tensor("gamma"),
      arguments.Double("epsilon"), arguments.Tensor("rstdOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceAddRmsNorm({"aclnnInplaceAddRmsNorm", PlanInplaceAddRmsNorm,
                                                  aclnnInplaceAddRmsNorm});

}  // namespace
