// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPowScalarTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_pow.h"

namespace {

aclnnStatus PlanPowScalarTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnPowScalarTensorGetWorkspaceSize(arguments.Scalar("self"),
                                              arguments.Tensor("exponent"), arguments.Tensor("out"),
                                              workspaceSize, executor);
}

const aclnn_cts::Registration kPowScalarTensor({"aclnnPowScalarTensor", PlanPowScalarTensor,
                                                aclnnPowScalarTensor});

}  // namespace
