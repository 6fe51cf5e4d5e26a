// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnPermute.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_permute.h"

namespace {

aclnnStatus PlanPermute(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                        aclOpExecutor **executor) {
  return aclnnPermuteGetWorkspaceSize(arguments.Tensor("self"), arguments.IntArray("dims"),
                                      arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kPermute({"aclnnPermute", PlanPermute, aclnnPermute});

}  // namespace
