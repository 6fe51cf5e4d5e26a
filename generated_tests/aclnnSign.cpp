// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSign.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sign.h"

namespace {

aclnnStatus PlanSign(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnSignGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("result"),
                                   workspaceSize, executor);
}

const aclnn_cts::Registration kSign({"aclnnSign", PlanSign, aclnnSign});

}  // namespace
