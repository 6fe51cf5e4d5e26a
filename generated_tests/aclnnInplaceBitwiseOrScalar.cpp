// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceBitwiseOrScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_bitwise_or_scalar.h"

namespace {

aclnnStatus PlanInplaceBitwiseOrScalar(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplaceBitwiseOrScalarGetWorkspaceSize(
      arguments.Tensor("selfRef"), arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceBitwiseOrScalar({"aclnnInplaceBitwiseOrScalar",
                                                       PlanInplaceBitwiseOrScalar,
                                                       aclnnInplaceBitwiseOrScalar});

}  // namespace
