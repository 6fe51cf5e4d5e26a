// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnFlip.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_flip.h"

namespace {

aclnnStatus PlanFlip(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                     aclOpExecutor **executor) {
  return aclnnFlipGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dims"),
                                   arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kFlip({"aclnnFlip", PlanFlip, aclnnFlip});

}  // namespace
