// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnErfinv.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_erfinv.h"

namespace {

aclnnStatus PlanErfinv(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnErfinvGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kErfinv({"aclnnErfinv", PlanErfinv, aclnnErfinv});

}  // namespace
