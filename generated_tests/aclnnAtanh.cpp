// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnAtanh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_atanh.h"

namespace {

aclnnStatus PlanAtanh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                      aclOpExecutor **executor) {
  return aclnnAtanhGetWorkspaceSize(arguments.Tensor("input"), arguments.Tensor("out"),
                                    workspaceSize, executor);
}

const aclnn_cts::Registration kAtanh({"aclnnAtanh", PlanAtanh, aclnnAtanh});

}  // namespace
