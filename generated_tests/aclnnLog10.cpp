// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLog10.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_log10.h"

namespace {

aclnnStatus PlanLog10(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnLog10GetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kLog10({"aclnnLog10", PlanLog10, aclnnLog10});

}  // namespace
