// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAsin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_asin.h"

namespace {

aclnnStatus PlanAsin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnAsinGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kAsin({"aclnnAsin", PlanAsin, aclnnAsin});

}  // namespace
