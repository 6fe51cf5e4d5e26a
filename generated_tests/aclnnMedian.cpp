// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnMedian.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_median.h"

namespace {

aclnnStatus PlanMedian(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnMedianGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("valuesOut"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kMedian({"aclnnMedian", PlanMedian, aclnnMedian});

}  // namespace
