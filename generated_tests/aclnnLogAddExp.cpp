// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogAddExp.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logaddexp.h"

namespace {

aclnnStatus PlanLogAddExp(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnLogAddExpGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("other"),
                                        arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLogAddExp({"aclnnLogAddExp", PlanLogAddExp, aclnnLogAddExp});

}  // namespace
