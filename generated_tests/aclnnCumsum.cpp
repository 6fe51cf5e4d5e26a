// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnCumsum.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_cumsum.h"

namespace {

aclnnStatus PlanCumsum(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnCumsumGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                     arguments.DataType("dtype"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kCumsum({"aclnnCumsum", PlanCumsum, aclnnCumsum});

}  // namespace
