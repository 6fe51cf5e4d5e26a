// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnArgMax.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_argmax.h"

namespace {

aclnnStatus PlanArgMax(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnArgMaxGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                     arguments.Bool("keepdim"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kArgMax({"aclnnArgMax", PlanArgMax, aclnnArgMax});

}  // namespace
