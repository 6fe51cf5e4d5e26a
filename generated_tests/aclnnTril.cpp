// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTril.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_tril.h"

namespace {

aclnnStatus PlanTril(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnTrilGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("diagonal"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kTril({"aclnnTril", PlanTril, aclnnTril});

}  // namespace
