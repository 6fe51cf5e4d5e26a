// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnEqScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_eq_scalar.h"

namespace {

aclnnStatus PlanEqScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnEqScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kEqScalar({"aclnnEqScalar", PlanEqScalar, aclnnEqScalar});

}  // namespace
