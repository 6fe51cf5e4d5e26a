// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGtScalar.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gt_scalar.h"

namespace {

aclnnStatus PlanGtScalar(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnGtScalarGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("other"),
                                       arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kGtScalar({"aclnnGtScalar", PlanGtScalar, aclnnGtScalar});

}  // namespace
