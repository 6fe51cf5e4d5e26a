// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnRepeat.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_repeat.h"

namespace {

aclnnStatus PlanRepeat(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                       aclOpExecutor **executor) {
  return aclnnRepeatGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("repeats"),
                                     arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kRepeat({"aclnnRepeat", PlanRepeat, aclnnRepeat});

}  // namespace
