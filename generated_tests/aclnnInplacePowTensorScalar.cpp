// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplacePowTensorScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_pow.h"

namespace {

aclnnStatus PlanInplacePowTensorScalar(const aclnn_cts::Arguments &arguments,
                                       uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnInplacePowTensorScalarGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Scalar("exponent"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplacePowTensorScalar({"aclnnInplacePowTensorScalar",
                                                       PlanInplacePowTensorScalar,
                                                       aclnnInplacePowTensorScalar});

}  // namespace
