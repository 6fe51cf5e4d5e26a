// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnSwigluGroup.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_swiglu_group.h"

namespace {

aclnnStatus PlanSwigluGroup(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnSwigluGroupGetWorkspaceSize(arguments.Tensor("x"), arguments.Tensor("weightOptional"),
                                          arguments.Tensor("groupIndexOptional"),
                                          arguments.Double("clampLimit"), arguments.Tensor("out"),
                                          workspaceSize, executor);
}

const aclnn_cts::Registration kSwigluGroup({"aclnnSwigluGroup", PlanSwigluGroup, aclnnSwigluGroup});

}  // namespace
