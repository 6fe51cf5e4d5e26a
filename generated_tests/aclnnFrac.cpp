// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFrac.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_frac.h"

namespace {

aclnnStatus PlanFrac(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnFracGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("out"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kFrac({"aclnnFrac", PlanFrac, aclnnFrac});

}  // namespace
