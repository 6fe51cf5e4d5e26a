// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRoundDecimals.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_round.h"

namespace {

aclnnStatus PlanRoundDecimals(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                              aclOpExecutor **executor) {
  return aclnnRoundDecimalsGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("decimals"),
                                            arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kRoundDecimals({"aclnnRoundDecimals", PlanRoundDecimals,
                                              aclnnRoundDecimals});

}  // namespace
