// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRound.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_round.h"

namespace {

aclnnStatus PlanInplaceRound(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                             aclOpExecutor **executor) {
  return aclnnInplaceRoundGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRound({"aclnnInplaceRound", PlanInplaceRound,
                                             aclnnInplaceRound});

}  // namespace
