// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMultinomialTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_multinomial.h"

namespace {

aclnnStatus PlanMultinomialTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnMultinomialTensorGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Int64("numsamples"), arguments.Bool("replacement"),
      arguments.Tensor("seedTensor"), arguments.Tensor("offsetTensor"), arguments.Int64("offset"),
      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kMultinomialTensor({"aclnnMultinomialTensor", PlanMultinomialTensor,
                                                  aclnnMultinomialTensor});

}  // namespace
