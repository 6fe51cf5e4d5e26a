// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnReflectionPad1d.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_reflection_pad1d.h"

namespace {

aclnnStatus PlanReflectionPad1d(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                                aclOpExecutor **executor) {
  return aclnnReflectionPad1dGetWorkspaceSize(arguments.Tensor("self"),
                                              arguments.IntArray("padding"),
                                              arguments.Tensor("out"), workspaceSize, executor);
}

const aclnn_cts::Registration kReflectionPad1d({"aclnnReflectionPad1d", PlanReflectionPad1d,
                                                aclnnReflectionPad1d});

}  // namespace
