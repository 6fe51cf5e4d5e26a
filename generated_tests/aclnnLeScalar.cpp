// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLeScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_le_scalar.h"

namespace {

aclnnStatus PlanLeScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnLeScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLeScalar({"aclnnLeScalar", PlanLeScalar, aclnnLeScalar});

}  // namespace
