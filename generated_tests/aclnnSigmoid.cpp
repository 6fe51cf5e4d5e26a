// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSigmoid.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_sigmoid.h"

namespace {

aclnnStatus PlanSigmoid(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnSigmoidGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                      workspaceSize, executor);
}

const aclnn_cts::Registration kSigmoid({"aclnnSigmoid", PlanSigmoid, aclnnSigmoid});

}  // namespace
