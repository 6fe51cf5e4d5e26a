// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropyBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_binary_cross_entropy_backward.h"

namespace {

aclnnStatus PlanBinaryCrossEntropyBackward(const aclnn_cts::Arguments &arguments,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnBinaryCrossEntropyBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Tensor("weightOptional"), arguments.Int64("reduction"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kBinaryCrossEntropyBackward({"aclnnBinaryCrossEntropyBackward",
                                                           PlanBinaryCrossEntropyBackward,
                                                           aclnnBinaryCrossEntropyBackward});

}  // namespace
