// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReflectionPad2d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reflection_pad2d.h"

namespace {

aclnnStatus PlanReflectionPad2d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnReflectionPad2dGetWorkspaceSize(arguments.Tensor("self"),
                                              arguments.IntArray("padding"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kReflectionPad2d({"aclnnReflectionPad2d", PlanReflectionPad2d,
                                                aclnnReflectionPad2d});

}  // namespace
