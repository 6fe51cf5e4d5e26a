// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBitwiseXorScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_xor_scalar.h"

namespace {

aclnnStatus PlanInplaceBitwiseXorScalar(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceBitwiseXorScalarGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBitwiseXorScalar({"aclnnInplaceBitwiseXorScalar",
                                                        PlanInplaceBitwiseXorScalar,
                                                        aclnnInplaceBitwiseXorScalar});

}  // namespace
