// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAsinh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_asinh.h"

namespace {

aclnnStatus PlanAsinh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnAsinhGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kAsinh({"aclnnAsinh", PlanAsinh, aclnnAsinh});

}  // namespace
