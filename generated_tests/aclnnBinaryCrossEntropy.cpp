// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBinaryCrossEntropy.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_binary_cross_entropy.h"

namespace {

aclnnStatus PlanBinaryCrossEntropy(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnBinaryCrossEntropyGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Tensor("target"), arguments.Tensor("weight"),
      arguments.Int64("reduction"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBinaryCrossEntropy({"aclnnBinaryCrossEntropy",
                                                   PlanBinaryCrossEntropy,
                                                   aclnnBinaryCrossEntropy});

}  // namespace
