// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGather.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gather.h"

namespace {

aclnnStatus PlanGather(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnGatherGetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                     arguments.Tensor("index"), arguments.Tensor("out"),
                                     workspaceSize, executor);
}

const aclnn_cts::Registration kGather({"aclnnGather", PlanGather, aclnnGather});

}  // namespace
