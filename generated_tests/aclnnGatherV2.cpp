// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGatherV2.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gather_v2.h"

namespace {

aclnnStatus PlanGatherV2(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnGatherV2GetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                       arguments.Tensor("index"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kGatherV2({"aclnnGatherV2", PlanGatherV2, aclnnGatherV2});

}  // namespace
