// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTriu.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_triu.h"

namespace {

aclnnStatus PlanTriu(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnTriuGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("diagonal"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kTriu({"aclnnTriu", PlanTriu, aclnnTriu});

}  // namespace
