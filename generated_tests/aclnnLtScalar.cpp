// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnLtScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_lt_scalar.h"

namespace {

aclnnStatus PlanLtScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnLtScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kLtScalar({"aclnnLtScalar", PlanLtScalar, aclnnLtScalar});

}  // namespace
