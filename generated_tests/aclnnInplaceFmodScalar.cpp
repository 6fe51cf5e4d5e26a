// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceFmodScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_fmod_scalar.h"

namespace {

aclnnStatus PlanInplaceFmodScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                  aclOpExecutor **executor) {
  return aclnnInplaceFmodScalarGetWorkspaceSize(arguments.Tensor("selfRef"),
                                                arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceFmodScalar({"aclnnInplaceFmodScalar", PlanInplaceFmodScalar,
                                                  aclnnInplaceFmodScalar});

}  // namespace
