// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnBitwiseXorScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_xor_scalar.h"

namespace {

aclnnStatus PlanBitwiseXorScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnBitwiseXorScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kBitwiseXorScalar({"aclnnBitwiseXorScalar", PlanBitwiseXorScalar,
                                                 aclnnBitwiseXorScalar});

}  // namespace
