// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceGeScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_ge_scalar.h"

namespace {

aclnnStatus PlanInplaceGeScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceGeScalarGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceGeScalar({"aclnnInplaceGeScalar", PlanInplaceGeScalar,
                                                aclnnInplaceGeScalar});

}  // namespace
