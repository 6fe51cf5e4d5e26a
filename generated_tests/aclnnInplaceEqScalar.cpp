// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceEqScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_eq_scalar.h"

namespace {

aclnnStatus PlanInplaceEqScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceEqScalarGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceEqScalar({"aclnnInplaceEqScalar", PlanInplaceEqScalar,
                                                aclnnInplaceEqScalar});

}  // namespace
