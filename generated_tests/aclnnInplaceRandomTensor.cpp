// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRandomTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_random.h"

namespace {

aclnnStatus PlanInplaceRandomTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnInplaceRandomTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Int64("from"), arguments.Int64("to"),
      arguments.Tensor("seedTensor"), arguments.Tensor("offsetTensor"), arguments.Int64("offset"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRandomTensor({"aclnnInplaceRandomTensor",
                                                    PlanInplaceRandomTensor,
                                                    aclnnInplaceRandomTensor});

}  // namespace
