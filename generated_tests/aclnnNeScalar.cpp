// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNeScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ne_scalar.h"

namespace {

aclnnStatus PlanNeScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnNeScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kNeScalar({"aclnnNeScalar", PlanNeScalar, aclnnNeScalar});

}  // namespace
