// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRepeatInterleaveInt.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_repeat_interleave.h"

namespace {

aclnnStatus PlanRepeatInterleaveInt(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                    aclOpExecutor **executor) {
  return aclnnRepeatInterleaveIntGetWorkspaceSize(
      arguments.Tensor("self"), arguments.Int64("repeats"), arguments.Int64("outputSize"),
      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kRepeatInterleaveInt({"aclnnRepeatInterleaveInt",
                                                    PlanRepeatInterleaveInt,
                                                    aclnnRepeatInterleaveInt});

}  // namespace
