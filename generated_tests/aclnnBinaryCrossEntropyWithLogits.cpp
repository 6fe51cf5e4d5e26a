// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropyWithLogits.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"

namespace {

aclnnStatus PlanBinaryCrossEntropyWithLogits(const aclnn_cts::Arguments &arguments,
                                             uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("target"), arguments.Tensor("weightOptional"),
      arguments.Tensor("posWeightOptional"), arguments.Int64("reduction"), arguments.Tensor("out"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kBinaryCrossEntropyWithLogits({"aclnnBinaryCrossEntropyWithLogits",
                                                             PlanBinaryCrossEntropyWithLogits,
                                                             aclnnBinaryCrossEntropyWithLogits});

}  // namespace
