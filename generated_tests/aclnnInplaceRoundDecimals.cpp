// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRoundDecimals.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_round.h"

namespace {

aclnnStatus PlanInplaceRoundDecimals(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                     aclOpExecutor **executor) {
  return aclnnInplaceRoundDecimalsGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Int64("decimals"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRoundDecimals({"aclnnInplaceRoundDecimals",
                                                     PlanInplaceRoundDecimals,
                                                     aclnnInplaceRoundDecimals});

}  // namespace
