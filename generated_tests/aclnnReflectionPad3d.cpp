// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReflectionPad3d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reflection_pad3d.h"

namespace {

aclnnStatus PlanReflectionPad3d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnReflectionPad3dGetWorkspaceSize(arguments.Tensor("self"),
                                              arguments.IntArray("padding"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kReflectionPad3d({"aclnnReflectionPad3d", PlanReflectionPad3d,
                                                aclnnReflectionPad3d});

}  // namespace
