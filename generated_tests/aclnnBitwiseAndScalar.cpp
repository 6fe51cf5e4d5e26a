// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBitwiseAndScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_and_scalar.h"

namespace {

aclnnStatus PlanBitwiseAndScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnBitwiseAndScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBitwiseAndScalar({"aclnnBitwiseAndScalar", PlanBitwiseAndScalar,
                                                 aclnnBitwiseAndScalar});

}  // namespace
