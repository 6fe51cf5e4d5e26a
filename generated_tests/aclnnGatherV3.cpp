// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnGatherV3.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_gather_v3.h"

namespace {

aclnnStatus PlanGatherV3(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                         aclOpExecutor **executor) {
  return aclnnGatherV3GetWorkspaceSize(arguments.Tensor("self"), arguments.Int64("dim"),
                                       arguments.Tensor("index"), arguments.Int64("batchDims"),
                                       arguments.Int64("mode"), arguments.Tensor("out"),
                                       workspaceSize, executor);
}

const aclnn_cts::Registration kGatherV3({"aclnnGatherV3", PlanGatherV3, aclnnGatherV3});

}  // namespace
