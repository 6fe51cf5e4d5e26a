// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogAddExp2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logaddexp2.h"

namespace {

aclnnStatus PlanLogAddExp2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnLogAddExp2GetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogAddExp2({"aclnnLogAddExp2", PlanLogAddExp2, aclnnLogAddExp2});

}  // namespace
