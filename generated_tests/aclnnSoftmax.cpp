// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftmax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_softmax.h"

namespace {

aclnnStatus PlanSoftmax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnSoftmaxGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kSoftmax({"aclnnSoftmax", PlanSoftmax, aclnnSoftmax});

}  // namespace
