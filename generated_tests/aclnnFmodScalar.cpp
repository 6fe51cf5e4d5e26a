// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFmodScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fmod_scalar.h"

namespace {

aclnnStatus PlanFmodScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                           aclOpExecutor **executor) {
  return aclnnFmodScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                         arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kFmodScalar({"aclnnFmodScalar", PlanFmodScalar, aclnnFmodScalar});

}  // namespace
