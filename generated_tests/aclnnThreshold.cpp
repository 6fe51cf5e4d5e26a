// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnThreshold.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_threshold.h"

namespace {

aclnnStatus PlanThreshold(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnThresholdGetWorkspaceSize(arguments.Tensor("self"), arguments.Scalar("threshold"),
                                        arguments.Scalar("value"), arguments.Tensor("out"),
                                        workspaceSize, executor);
}

const aclnn_cts::Registration kThreshold({"aclnnThreshold", PlanThreshold, aclnnThreshold});

}  // namespace
