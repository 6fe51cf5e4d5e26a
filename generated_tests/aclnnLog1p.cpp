// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLog1p.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log1p.h"

namespace {

aclnnStatus PlanLog1p(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnLog1pGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kLog1p({"aclnnLog1p", PlanLog1p, aclnnLog1p});

}  // namespace
