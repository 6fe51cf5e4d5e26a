// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBitwiseAndScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_and_scalar.h"

namespace {

aclnnStatus PlanInplaceBitwiseAndScalar(const aclnn_cts::Arguments &arguments,
                                        uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceBitwiseAndScalarGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBitwiseAndScalar({"aclnnInplaceBitwiseAndScalar",
                                                        PlanInplaceBitwiseAndScalar,
                                                        aclnnInplaceBitwiseAndScalar});

}  // namespace
