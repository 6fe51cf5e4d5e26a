// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnTanh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_tanh.h"

namespace {

aclnnStatus PlanTanh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnTanhGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"), workspaceSize,
                                   executor);
}

const aclnn_cts::Registration kTanh({"aclnnTanh", PlanTanh, aclnnTanh});

}  // namespace
