// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRepeatInterleaveIntWithDim.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_repeat_interleave.h"

namespace {

aclnnStatus PlanRepeatInterleaveIntWithDim(const aclnn_cts::Arguments &arguments,
                                           uint64_t *workspaceSize, aclOpExecutor **executor) {
  return aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Int64("repeats"), arguments.Int64("dim"),
      arguments.Int64("outputSize"), arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kRepeatInterleaveIntWithDim({"aclnnRepeatInterleaveIntWithDim",
                                                           PlanRepeatInterleaveIntWithDim,
                                                           aclnnRepeatInterleaveIntWithDim});

}  // namespace
