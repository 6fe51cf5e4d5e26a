// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLogSigmoid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_logsigmoid.h"

namespace {

aclnnStatus PlanLogSigmoid(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnLogSigmoidGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                         workspaceSize, executor);
}

const aclnn_cts::Registration kLogSigmoid({"aclnnLogSigmoid", PlanLogSigmoid, aclnnLogSigmoid});

}  // namespace
