// SPDX-License-Identifier: Apache-2.0
// Generated from specs/aclnnInplaceTanh.yaml by `aclnn-cts generate`:
// edit the spec, not this file.
#include "aclnn_cts/program.h"
#include "aclnnop/aclnn_tanh.h"

namespace {

aclnnStatus PlanInplaceTanh(const aclnn_cts::Arguments &arguments, uint64_t *workspaceSize,
                            aclOpExecutor **executor) {
  return aclnnInplaceTanhGetWorkspaceSize(arguments.Tensor("selfRef"), workspaceSize, executor);
}

const aclnn_cts::Registration kInplaceTanh({"aclnnInplaceTanh", PlanInplaceTanh, aclnnInplaceTanh});

}  // namespace
