// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropyWithLogitsTargetBackward.yaml by `aclnn-cts
// generate`: edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h"

namespace {

aclnnStatus PlanBinaryCrossEntropyWithLogitsTargetBackward(const aclnn_cts::Arguments &arguments,
                                                           uint64_t *workspaceSize,
                                                           aclOpExecutor **executor) {
  return aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Tensor("weightOptional"), arguments.Tensor("posWeightOptional"),
      arguments.Int64("reduction"), arguments.Tensor("gradTarget"), workspaceSize, executor);
}

const aclnn_cts::Registration kBinaryCrossEntropyWithLogitsTargetBackward(
    {"aclnnBinaryCrossEntropyWithLogitsTargetBackward",
     PlanBinaryCrossEntropyWithLogitsTargetBackward,
     aclnnBinaryCrossEntropyWithLogitsTargetBackward});

}  // namespace
