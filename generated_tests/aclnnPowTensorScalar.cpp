// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPowTensorScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_pow.h"

namespace {

aclnnStatus PlanPowTensorScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnPowTensorScalarGetWorkspaceSize(arguments.Tensor("self"),
                                              arguments.Scalar("exponent"), arguments.Tensor("out"),
                                              workspaceSize, executor);
}

const aclnn_cts::Registration kPowTensorScalar({"aclnnPowTensorScalar", PlanPowTensorScalar,
                                                aclnnPowTensorScalar});

}  // namespace
