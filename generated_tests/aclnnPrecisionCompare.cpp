// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPrecisionCompare.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_precision_compare.h"

namespace {

aclnnStatus PlanPrecisionCompare(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                 aclOpExecutor **executor) {
  return aclnnPrecisionCompareGetWorkspaceSize(arguments.Tensor("golden"),
                                               arguments.Tensor("realdata"),
                                               arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kPrecisionCompare({"aclnnPrecisionCompare", PlanPrecisionCompare,
                                                 aclnnPrecisionCompare});

}  // namespace
