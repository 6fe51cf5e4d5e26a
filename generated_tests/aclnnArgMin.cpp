// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnArgMin.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_argmin.h"

namespace {

aclnnStatus PlanArgMin(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnArgMinGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                     arguments.Bool("keepdim"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kArgMin({"aclnnArgMin", PlanArgMin, aclnnArgMin});

}  // namespace
