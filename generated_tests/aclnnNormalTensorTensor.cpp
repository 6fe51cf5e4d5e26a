// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNormalTensorTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_normal_out.h"

namespace {

aclnnStatus PlanNormalTensorTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                   aclOpExecutor **executor) {
  return aclnnNormalTensorTensorGetWorkspaceSize(arguments.Tensor("mean"), arguments.Tensor("std"),
                                                 arguments.Int64("seed"), arguments.Int64("offset"),
                                                 arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kNormalTensorTensor({"aclnnNormalTensorTensor",
                                                   PlanNormalTensorTensor,
                                                   aclnnNormalTensorTensor});

}  // namespace
