// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnIsInScalarTensor.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_isin.h"

namespace {

aclnnStatus PlanIsInScalarTensor(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnIsInScalarTensorGetWorkspaceSize(
      arguments.Scalar("element"), arguments.Tensor("testElements"), arguments.Bool("assumeUnique"),
      arguments.Bool("invert"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kIsInScalarTensor({"aclnnIsInScalarTensor", PlanIsInScalarTensor,
                                                 aclnnIsInScalarTensor});

}  // namespace
