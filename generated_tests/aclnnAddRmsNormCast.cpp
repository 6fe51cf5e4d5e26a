// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAddRmsNormCast.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_add_rms_norm_cast.h"

namespace {

aclnnStatus PlanAddRmsNormCast(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                               aclOpExecutor **executor) {
  return aclnnAddRmsNormCastGetWorkspaceSize(
      arguments.Tensor("x1"), arguments.Tensor("x2"), arguments.Tensor("gamma"),
      arguments.Double("epsilon"), arguments.Tensor("y1Out"), arguments.Tensor("y2Out"),
      arguments.Tensor("rstdOut"), arguments.Tensor("xOut"), workspaceSize, executor);
}

const aclnn_cts::Registration kAddRmsNormCast({"aclnnAddRmsNormCast", PlanAddRmsNormCast,
                                               aclnnAddRmsNormCast});

}  // namespace
