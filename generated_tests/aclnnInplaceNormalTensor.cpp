// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceNormalTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_normal.h"

namespace {

aclnnStatus PlanInplaceNormalTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnInplaceNormalTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Float("mean"), arguments.Float("std"),
      arguments.Tensor("seedTensor"), arguments.Tensor("offsetTensor"), arguments.Int64("offset"),
      workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceNormalTensor({"aclnnInplaceNormalTensor",
                                                    PlanInplaceNormalTensor,
                                                    aclnnInplaceNormalTensor});

}  // namespace
