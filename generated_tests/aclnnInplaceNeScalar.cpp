// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceNeScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ne_scalar.h"

namespace {

aclnnStatus PlanInplaceNeScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceNeScalarGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceNeScalar({"aclnnInplaceNeScalar", PlanInplaceNeScalar,
                                                aclnnInplaceNeScalar});

}  // namespace
