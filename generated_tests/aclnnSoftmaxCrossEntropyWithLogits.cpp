// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSoftmaxCrossEntropyWithLogits.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"

namespace {

aclnnStatus PlanSoftmaxCrossEntropyWithLogits(const aclnn_cts::Arguments &arguments,
                                              uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(
      arguments.Tensor("features"), arguments.Tensor("labels"), arguments.Tensor("loss"),
      arguments.Tensor("backprop"), workspaceSize, executor);
}

const aclnn_cts::Registration kSoftmaxCrossEntropyWithLogits({"aclnnSoftmaxCrossEntropyWithLogits",
                                                              PlanSoftmaxCrossEntropyWithLogits,
                                                              aclnnSoftmaxCrossEntropyWithLogits});

}  // namespace
