// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceThreshold.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_threshold.h"

namespace {

aclnnStatus PlanInplaceThreshold(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnInplaceThresholdGetWorkspaceSize(arguments.Tensor("selfRef"),
                                               arguments.Scalar("threshold"),
                                               arguments.Scalar("value"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceThreshold({"aclnnInplaceThreshold", PlanInplaceThreshold,
                                                 aclnnInplaceThreshold});

}  // namespace
