// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceLeScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_le_scalar.h"

namespace {

aclnnStatus PlanInplaceLeScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceLeScalarGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceLeScalar({"aclnnInplaceLeScalar", PlanInplaceLeScalar,
                                                aclnnInplaceLeScalar});

}  // namespace
