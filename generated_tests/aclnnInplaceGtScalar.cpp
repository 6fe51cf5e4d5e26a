// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceGtScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gt_scalar.h"

namespace {

aclnnStatus PlanInplaceGtScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnInplaceGtScalarGetWorkspaceSize(arguments.Tensor("selfRef"),
                                              arguments.Scalar("other"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceGtScalar({"aclnnInplaceGtScalar", PlanInplaceGtScalar,
                                                aclnnInplaceGtScalar});

}  // namespace
