// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRound.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_round.h"

namespace {

aclnnStatus PlanRound(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnRoundGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kRound({"aclnnRound", PlanRound, aclnnRound});

}  // namespace
