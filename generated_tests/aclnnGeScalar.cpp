// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGeScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ge_scalar.h"

namespace {

aclnnStatus PlanGeScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnGeScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGeScalar({"aclnnGeScalar", PlanGeScalar, aclnnGeScalar});

}  // namespace
