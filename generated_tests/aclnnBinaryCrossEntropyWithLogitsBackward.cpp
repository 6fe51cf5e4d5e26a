// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropyWithLogitsBackward.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_backward.h"

namespace {

aclnnStatus PlanBinaryCrossEntropyWithLogitsBackward(const aclnn_cts::Arguments &arguments,
                                                     uint64_t *workspaceSize,
                                                     aclOpExecutor **executor) {
  return aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize(
      arguments.Tensor("gradOutput"), arguments.Tensor("self"), arguments.Tensor("target"),
      arguments.Tensor("weightOptional"), arguments.Tensor("posWeightOptional"),
      arguments.Int64("reduction"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBinaryCrossEntropyWithLogitsBackward(
    {"aclnnBinaryCrossEntropyWithLogitsBackward", PlanBinaryCrossEntropyWithLogitsBackward,
     aclnnBinaryCrossEntropyWithLogitsBackward});

}  // namespace
