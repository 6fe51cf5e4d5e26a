// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceRandomWithoutFromToTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_random.h"

namespace {

aclnnStatus PlanInplaceRandomWithoutFromToTensor(const aclnn_cts::Arguments &arguments,
                                                 uint64_t *workspaceSize,
                                                 aclOpExecutor **executor) {
  return aclnnInplaceRandomWithoutFromToTensorGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Tensor("seedTensor"), arguments.Tensor("offsetTensor"),
      arguments.Int64("offset"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceRandomWithoutFromToTensor(
    {"aclnnInplaceRandomWithoutFromToTensor", PlanInplaceRandomWithoutFromToTensor,
     aclnnInplaceRandomWithoutFromToTensor});

}  // namespace
