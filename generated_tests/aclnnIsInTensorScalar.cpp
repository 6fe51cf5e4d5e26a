// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnIsInTensorScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_isin_tensor_scalar.h"

namespace {

aclnnStatus PlanIsInTensorScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnIsInTensorScalarGetWorkspaceSize(
      arguments.Tensor("element"), arguments.Scalar("testElement"), arguments.Bool("assumeUnique"),
      arguments.Bool("invert"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kIsInTensorScalar({"aclnnIsInTensorScalar", PlanIsInTensorScalar,
                                                 aclnnIsInTensorScalar});

}  // namespace
