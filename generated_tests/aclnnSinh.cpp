// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSinh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sinh.h"

namespace {

aclnnStatus PlanSinh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnSinhGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kSinh({"aclnnSinh", PlanSinh, aclnnSinh});

}  // namespace
