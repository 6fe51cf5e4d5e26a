// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnNanMedian.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_median.h"

namespace {

aclnnStatus PlanNanMedian(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                          aclOpExecutor **executor) {
  return aclnnNanMedianGetWorkspaceSize(arguments.Tensor("self"), arguments.Tensor("out"),
                                        workspaceSize, executor);
}

const aclnn_cts::Registration kNanMedian({"aclnnNanMedian", PlanNanMedian, aclnnNanMedian});

}  // namespace
